// Package twosets is a queue of keys.
package twosets

import (
	"container/list"
	"sync"
)

// state is what becomes of an item. One that is not in the map is neither in the line nor processed.
type state int

const (
	waits state = iota + 1
	processed
	processedAndAdded
)

// Queue has one map instead of two sets, and a condition for each kind of waiting.
type Queue[T comparable] struct {
	mu     sync.Mutex
	come   sync.Cond // there is an item, or the end
	gone   sync.Cond // the map is empty, or nobody wants to wait for that
	states map[T]state
	line   *list.List
	phase  int // 0 open, 1 draining, 2 shut down
}

// New returns a queue without items.
func New[T comparable]() *Queue[T] {
	q := &Queue[T]{states: make(map[T]state), line: list.New()}
	q.come.L, q.gone.L = &q.mu, &q.mu
	return q
}

// Add says that an item has to be processed.
func (q *Queue[T]) Add(item T) {
	q.mu.Lock()
	defer q.mu.Unlock()
	switch {
	case q.phase > 0:
	case q.states[item] == 0:
		q.enqueue(item)
	case q.states[item] == processed:
		q.states[item] = processedAndAdded
	}
}

func (q *Queue[T]) enqueue(item T) {
	q.states[item] = waits
	q.line.PushBack(item)
	q.come.Signal()
}

// Len counts.
func (q *Queue[T]) Len() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.line.Len()
}

// Get takes the first item.
func (q *Queue[T]) Get() (item T, shutdown bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for {
		if first := q.line.Front(); first != nil {
			item = q.line.Remove(first).(T)
			q.states[item] = processed
			return item, false
		}
		if q.phase > 0 {
			return item, true
		}
		q.come.Wait()
	}
}

// Done says that an item was processed.
func (q *Queue[T]) Done(item T) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.states[item] == processedAndAdded {
		q.enqueue(item)
		return
	}
	delete(q.states, item)
	if len(q.states) == 0 {
		q.gone.Broadcast()
	}
}

// ShutDown ends all waiting.
func (q *Queue[T]) ShutDown() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.phase = 2
	q.come.Broadcast()
	q.gone.Broadcast()
}

// ShutDownWithDrain waits until there is nothing left.
func (q *Queue[T]) ShutDownWithDrain() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.phase = max(q.phase, 1)
	q.come.Broadcast()
	for len(q.states) > 0 && q.phase < 2 {
		q.gone.Wait()
	}
}

// ShuttingDown says whether it is in the second phase or a later one.
func (q *Queue[T]) ShuttingDown() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.phase > 0
}
