// Breaks: If the delay is zero or less, add is called at once, before AddAfter returns.
// Caught by: TestWithoutADelay
// Message: it was A at 1s

//go:build wrong

package delays

import (
	"sync"
	"time"
)

type Delays[T comparable] struct {
	add func(item T)

	mu      sync.Mutex
	waits   map[T]*Entry[T]
	line    Line[T]
	stopped bool
	changed chan struct{}
	adding  map[T]bool
}

func New[T comparable](add func(item T)) *Delays[T] {
	d := &Delays[T]{waits: map[T]*Entry[T]{}, changed: make(chan struct{}, 1), adding: map[T]bool{}}
	d.add = func(item T) {
		d.mark(item, true)
		add(item)
		d.mark(item, false)
	}
	go d.run()
	return d
}

func (d *Delays[T]) mark(item T, adding bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.adding[item] = adding
}

func (d *Delays[T]) AddAfter(item T, delay time.Duration) {
	d.mu.Lock()
	ready := delay <= 0 && !d.stopped && !d.adding[item] // wrong: an add that runs has begun before
	if delay > 0 && !d.stopped {
		d.put(item, time.Now().Add(delay))
	}
	d.mu.Unlock()
	if ready {
		d.add(item)
	}
}
