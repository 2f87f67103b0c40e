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
	running sync.WaitGroup // calls of ring that call add
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

// ring takes out all whose time has come, and sets the timer for the first of the others before it calls add.
func (d *Delays[T]) ring() {
	due := d.due()
	for _, item := range due {
		d.mu.Lock()
		stopped := d.stopped
		d.mu.Unlock()
		if !stopped {
			d.add(item)
		}
	}
	if len(due) > 0 {
		d.running.Done()
	}
}

// due takes out all whose time has come.
func (d *Delays[T]) due() (due []T) {
	d.mu.Lock()
	defer d.mu.Unlock()
	now := time.Now()
	d.rings = time.Time{}
	for item, at := range d.until {
		switch {
		case !at.After(now):
			due = append(due, item)
			delete(d.until, item)
		case d.rings.IsZero() || at.Before(d.rings):
			d.rings = at
		}
	}
	if !d.rings.IsZero() && !d.stopped {
		d.timer.Reset(d.rings.Sub(now))
	}
	if len(due) > 0 {
		d.running.Add(1)
	}
	return due
}

// Stop waits for the adds that run, if it is the timer that has called them.
func (d *Delays[T]) Stop() {
	d.mu.Lock()
	d.stopped = true
	clear(d.until)
	d.timer.Stop()
	d.mu.Unlock()
	d.running.Wait()
}
