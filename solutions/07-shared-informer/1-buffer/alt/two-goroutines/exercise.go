// Package buffer is an unbounded buffer between two goroutines.
package buffer

import "sync"

// A list is where one goroutine puts what the other gives.
type list[T any] struct {
	mu      sync.Mutex
	changed *sync.Cond
	fresh   []T // what the other has not fetched
	closed  bool

	more chan struct{} // holds one when something is fresh, or closed
}

// Pump takes in a goroutine of its own, and gives in the caller's.
func Pump[T any](in <-chan T, out chan<- []T) {
	defer close(out)
	l := &list[T]{more: make(chan struct{}, 1)}
	l.changed = sync.NewCond(&l.mu)
	var taking sync.WaitGroup
	taking.Go(func() { l.take(in) })
	defer taking.Wait()
	var gathered []T
	for l.fetch(&gathered) {
		select {
		case out <- gathered:
			gathered = nil
		case <-l.more:
		}
	}
}

// take adds what comes to the list, until there will be no more.
func (l *list[T]) take(in <-chan T) {
	for element := range in {
		l.change(func() { l.fresh = append(l.fresh, element) })
	}
	l.change(func() { l.closed = true })
}

// change makes a change, and wakes who waits for one.
func (l *list[T]) change(change func()) {
	l.mu.Lock()
	change()
	l.changed.Broadcast()
	l.mu.Unlock()
	select {
	case l.more <- struct{}{}:
	default:
	}
}

// fetch adds what is fresh to what has gathered, and waits where that is nothing. It returns false when in is closed.
func (l *list[T]) fetch(gathered *[]T) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	for len(*gathered)+len(l.fresh) == 0 && !l.closed {
		l.changed.Wait()
	}
	*gathered, l.fresh = append(*gathered, l.fresh...), nil
	return !l.closed
}
