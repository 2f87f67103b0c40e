// Package delays keeps items until their time has come.
package delays

import (
	"sync"
	"time"
)

// Delays has an alarm for each item that waits: a timer of Go's own, which calls a function in a goroutine when it
// ends. The runtime keeps those in a heap.
type Delays[T comparable] struct {
	add func(item T)

	mu      sync.Mutex
	alarms  map[T]*alarm
	stopped bool
}

// An alarm is told from a later one of the same item by its address: Stop of a timer may come too late.
type alarm struct {
	at    time.Time
	timer *time.Timer
}

// New returns a Delays in which nothing waits.
func New[T comparable](add func(item T)) *Delays[T] {
	return &Delays[T]{add: add, alarms: map[T]*alarm{}}
}

// AddAfter has add be called with an item when a delay is over.
func (d *Delays[T]) AddAfter(item T, delay time.Duration) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.stopped {
		return
	}
	at, old := time.Now().Add(delay), d.alarms[item]
	if delay > 0 && old != nil && !at.Before(old.at) {
		return
	}
	if old != nil {
		old.timer.Stop()
		delete(d.alarms, item)
	}
	if delay <= 0 {
		d.mu.Unlock()
		defer d.mu.Lock() // for what is deferred above
		d.add(item)
		return
	}
	mine := &alarm{at: at}
	d.alarms[item] = mine
	mine.timer = time.AfterFunc(delay, func() { d.ring(item, mine) })
}

// ring is called in a goroutine of its own.
func (d *Delays[T]) ring(item T, mine *alarm) {
	d.mu.Lock()
	holds := d.alarms[item] == mine
	if holds {
		delete(d.alarms, item)
	}
	d.mu.Unlock()
	if holds {
		d.add(item)
	}
}

// Stop forgets what waits.
func (d *Delays[T]) Stop() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.stopped = true
	for _, a := range d.alarms {
		a.timer.Stop()
	}
	clear(d.alarms)
}
