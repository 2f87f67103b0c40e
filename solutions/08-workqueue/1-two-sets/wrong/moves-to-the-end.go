// Misconception: what was added last comes last.
// Caught by: TestInLineOnce
// Message: the belief that an Add gives an item a new place.

//go:build wrong

package twosets

import "slices"

func (q *Queue[T]) Add(item T) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed {
		return
	}
	if q.dirty[item] && !q.processing[item] {
		at := slices.Index(q.line, item)
		q.line = append(slices.Delete(q.line, at, at+1), item) // wrong
	}
	if q.dirty[item] {
		return
	}
	q.dirty[item] = true
	if !q.processing[item] {
		q.line = append(q.line, item)
		q.changed.Signal()
	}
}
