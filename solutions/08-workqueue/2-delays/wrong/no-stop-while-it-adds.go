// Breaks: add may call AddAfter, with any item and any delay.
// Caught by: TestStopWhileAnAddRuns
// Message: AddAfter returns

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
	gate    sync.RWMutex // Stop waits for those who add
}

func (d *Delays[T]) AddAfter(item T, delay time.Duration) {
	d.gate.RLock() // wrong: where add calls it, and Stop waits for that add, it waits for Stop
	defer d.gate.RUnlock()
	d.mu.Lock()
	stopped := d.stopped
	if delay > 0 && !stopped {
		d.put(item, time.Now().Add(delay))
	}
	d.mu.Unlock()
	if delay <= 0 && !stopped {
		d.add(item)
	}
}

func (d *Delays[T]) run() {
	timer := time.NewTimer(0)
	for open := true; open; {
		select {
		case <-timer.C:
		case _, open = <-d.changed:
		}
		for d.addOne(timer) {
		}
	}
}

func (d *Delays[T]) addOne(timer *time.Timer) bool {
	d.gate.RLock()
	defer d.gate.RUnlock()
	item, due := d.next(timer)
	if due {
		d.add(item)
	}
	return due
}

func (d *Delays[T]) Stop() {
	d.gate.Lock()
	defer d.gate.Unlock()
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.stopped {
		d.stopped, d.line = true, nil
		close(d.changed)
	}
}
