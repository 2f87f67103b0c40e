// Package buffer is an unbounded buffer between two goroutines.
package buffer

import "sync"

// A list is what two goroutines have in common: one adds to it, the other offers what it holds.
type list[T any] struct {
	mu      sync.Mutex
	changed *sync.Cond
	all     []T
	closed  bool

	again chan struct{} // holds one when what is offered is no longer all
}

// Pump takes in a goroutine of its own, and gives in the caller's.
func Pump[T any](in <-chan T, out chan<- []T) {
	defer close(out)
	l := &list[T]{again: make(chan struct{}, 1)}
	l.changed = sync.NewCond(&l.mu)
	var taking sync.WaitGroup
	taking.Go(func() { l.take(in) })
	defer taking.Wait()
	for l.offer(out) {
	}
}

// take adds what comes to the list, until there will be no more.
func (l *list[T]) take(in <-chan T) {
	for element := range in {
		l.mu.Lock()
		l.all = append(l.all, element)
		l.mu.Unlock()
		l.tell()
	}
	l.mu.Lock()
	l.closed = true
	l.mu.Unlock()
	l.tell()
}

func (l *list[T]) tell() {
	l.changed.Broadcast()
	select {
	case l.again <- struct{}{}:
	default:
	}
}

// offer waits for something, and offers it until somebody receives it or there is more.
func (l *list[T]) offer(out chan<- []T) bool {
	l.mu.Lock()
	for len(l.all) == 0 && !l.closed {
		l.changed.Wait()
	}
	all, closed := l.all[:len(l.all):len(l.all)], l.closed
	l.mu.Unlock()
	if closed {
		return false
	}
	select {
	case out <- all:
		l.mu.Lock()
		l.all = append([]T(nil), l.all[len(all):]...)
		l.mu.Unlock()
	case <-l.again:
	}
	return true
}
