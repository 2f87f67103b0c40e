// The two sets, and nobody waits.

//go:build partial

package twosets

import "sync"

type Queue[T comparable] struct {
	mu         sync.Mutex
	line       []T
	closed     bool
	dirty      map[T]bool
	processing map[T]bool
}

func New[T comparable]() *Queue[T] {
	return &Queue[T]{dirty: map[T]bool{}, processing: map[T]bool{}}
}

func (q *Queue[T]) Add(item T) {
	if q.dirty[item] {
		return
	}
	q.dirty[item] = true
	if !q.processing[item] {
		q.line = append(q.line, item)
	}
}

func (q *Queue[T]) Get() (item T, shutdown bool) {
	item, q.line = q.line[0], q.line[1:]
	delete(q.dirty, item)
	q.processing[item] = true
	return item, false
}

func (q *Queue[T]) Done(item T) {
	delete(q.processing, item)
	if q.dirty[item] {
		q.line = append(q.line, item)
	}
}
