// Misconception: there is a size that is enough, as of client-go's channel between AddAfter and its goroutine.
// Caught by: TestWhileAnAddRuns
// Message: the belief that there is a size that is enough.

//go:build wrong

package delays

import (
	"container/heap"
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
	fresh   chan Entry[T]
}

func New[T comparable](add func(item T)) *Delays[T] {
	d := &Delays[T]{
		add: add, waits: map[T]*Entry[T]{}, changed: make(chan struct{}, 1), fresh: make(chan Entry[T], 1000),
	}
	go d.run()
	return d
}

func (d *Delays[T]) AddAfter(item T, delay time.Duration) {
	d.mu.Lock()
	stopped := d.stopped
	d.mu.Unlock()
	switch {
	case stopped:
	case delay > 0:
		d.fresh <- Entry[T]{Item: item, At: time.Now().Add(delay)} // wrong: run may be in an add
	default:
		d.add(item)
	}
}

func (d *Delays[T]) run() {
	timer := time.NewTimer(0)
	for open := true; open; {
		select {
		case <-timer.C:
		case _, open = <-d.changed:
		case e := <-d.fresh:
			d.mu.Lock()
			d.put(e.Item, e.At)
			d.mu.Unlock()
		}
		for item, due := d.next(timer); due; item, due = d.next(timer) {
			d.add(item)
		}
	}
}

func (d *Delays[T]) put(item T, at time.Time) {
	e, waits := d.waits[item]
	if !waits {
		e = &Entry[T]{Item: item, At: at}
		d.waits[item] = e
		heap.Push(&d.line, e)
	} else if at.Before(e.At) {
		e.At = at
		heap.Fix(&d.line, e.Index)
	}
}
