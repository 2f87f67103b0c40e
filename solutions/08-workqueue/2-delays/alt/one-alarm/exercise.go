// Package delays keeps items until their time has come.
package delays

import (
	"sync"
	"time"
)

// Delays has one timer and no goroutine while everything waits. Who changes what waits sets the timer anew.
type Delays[T comparable] struct {
	add func(item T)

	mu      sync.Mutex
	until   map[T]time.Time
	timer   *time.Timer
	rings   time.Time // when the timer does, or zero
	stopped bool
	running sync.Mutex // is locked while ring calls add
}

// New returns a Delays in which nothing waits.
func New[T comparable](add func(item T)) *Delays[T] {
	d := &Delays[T]{add: add, until: map[T]time.Time{}}
	d.timer = time.AfterFunc(time.Hour, d.ring)
	d.timer.Stop()
	return d
}

// AddAfter has add be called with an item when a delay is over.
func (d *Delays[T]) AddAfter(item T, delay time.Duration) {
	now := time.Now()
	d.mu.Lock()
	if d.stopped {
		d.mu.Unlock()
		return
	}
	if delay > 0 {
		defer d.mu.Unlock()
		d.put(item, now, now.Add(delay))
		return
	}
	d.mu.Unlock()
	d.add(item)
}

// put keeps the earlier time, and has the timer ring no later.
func (d *Delays[T]) put(item T, now, at time.Time) {
	if there, ok := d.until[item]; ok && !at.Before(there) {
		return
	}
	d.until[item] = at
	if d.rings.IsZero() || at.Before(d.rings) {
		d.rings = at
		d.timer.Reset(at.Sub(now))
	}
}

// ring adds what is due, one item after the other. A ring that comes meanwhile waits for the lock.
func (d *Delays[T]) ring() {
	d.running.Lock()
	defer d.running.Unlock()
	for item, due := d.next(); due; item, due = d.next() {
		d.add(item)
	}
}

// next takes out an item whose time has come. If there is none, it sets the timer for the first.
func (d *Delays[T]) next() (item T, due bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	now := time.Now()
	d.rings = time.Time{}
	for item, at := range d.until {
		if !at.After(now) {
			delete(d.until, item)
			return item, true
		}
		if d.rings.IsZero() || at.Before(d.rings) {
			d.rings = at
		}
	}
	if !d.rings.IsZero() {
		d.timer.Reset(d.rings.Sub(now))
	}
	return item, false
}

// Stop waits for an add that runs, if it is the timer that has called it.
func (d *Delays[T]) Stop() {
	d.mu.Lock()
	d.stopped = true
	clear(d.until)
	d.timer.Stop()
	d.mu.Unlock()
	d.running.Lock()
	defer d.running.Unlock()
}
