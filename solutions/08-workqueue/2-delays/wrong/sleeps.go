// Misconception: a goroutine that sleeps costs nothing.
// Caught by: TestNoGoroutineForEachItem
// Message: the belief that a goroutine that sleeps costs nothing.
// Base: alt/alarms
// Removes: alarm, Delays.ring

//go:build wrong

package delays

import (
	"sync"
	"time"
)

type Delays[T comparable] struct {
	add func(item T)

	mu      sync.Mutex
	until   map[T]time.Time
	stopped bool
}

func New[T comparable](add func(item T)) *Delays[T] {
	return &Delays[T]{add: add, until: map[T]time.Time{}}
}

func (d *Delays[T]) AddAfter(item T, delay time.Duration) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.stopped {
		return
	}
	at := time.Now().Add(delay)
	if delay <= 0 {
		d.mu.Unlock()
		defer d.mu.Lock()
		d.add(item)
		return
	}
	if there, waits := d.until[item]; waits && !at.Before(there) {
		return
	}
	d.until[item] = at
	go d.sleep(item, at)
}

func (d *Delays[T]) sleep(item T, at time.Time) {
	time.Sleep(time.Until(at))
	d.mu.Lock()
	holds := d.until[item].Equal(at)
	if holds {
		delete(d.until, item)
	}
	d.mu.Unlock()
	if holds {
		d.add(item)
	}
}

func (d *Delays[T]) Stop() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.stopped = true
	clear(d.until)
}
