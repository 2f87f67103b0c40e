// The line alone: it is searched for what is added.

//go:build partial

package twosets

import "slices"

func (q *Queue[T]) Add(item T) {
	if !slices.Contains(q.line, item) {
		q.line = append(q.line, item)
	}
}

func (q *Queue[T]) Get() (item T, shutdown bool) {
	item, q.line = q.line[0], q.line[1:]
	return item, false
}
