// Misconception: who does not wait yet need not be told.
// Caught by: TestNothingIsForgotten
// Message: the next receive gets all
// Base: alt/two-goroutines

//go:build wrong

package buffer

import (
	"runtime"
	"sync"
)

// Pump takes in a goroutine of its own, and gives in the caller's.
func Pump[T any](in <-chan T, out chan<- []T) {
	defer close(out)
	l := &list[T]{more: make(chan struct{})} // wrong: it holds nothing for who is about to receive
	l.changed = sync.NewCond(&l.mu)
	var taking sync.WaitGroup
	taking.Go(func() { l.take(in) })
	defer taking.Wait()
	var gathered []T
	for l.fetch(&gathered) {
		runtime.Gosched() // so that it shows
		select {
		case out <- gathered:
			gathered = nil
		case <-l.more:
		}
	}
}
