// Misconception: an item waits until its add has returned.
// Caught by: TestWaitsAgain
// Message: the belief that an item waits until its add has returned.

//go:build wrong

package delays

import (
	"container/heap"
	"time"
)

func (d *Delays[T]) run() {
	timer := time.NewTimer(0)
	for open := true; open; {
		select {
		case <-timer.C:
		case _, open = <-d.changed:
		}
		for item, due := d.next(timer); due; item, due = d.next(timer) {
			d.add(item)
			d.mu.Lock()
			delete(d.waits, item) // wrong: it was taken out of the line before
			d.mu.Unlock()
		}
	}
}

func (d *Delays[T]) next(timer *time.Timer) (item T, due bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.line) == 0 {
		return item, false
	}
	if wait := time.Until(d.line[0].At); wait > 0 {
		timer.Reset(wait)
		return item, false
	}
	return heap.Pop(&d.line).(*Entry[T]).Item, true
}

func (d *Delays[T]) put(item T, at time.Time) {
	e, waits := d.waits[item]
	if !waits {
		e = &Entry[T]{Item: item, At: at}
		d.waits[item] = e
		heap.Push(&d.line, e)
	} else if at.Before(e.At) && e.Index < len(d.line) && d.line[e.Index] == e {
		e.At = at
		heap.Fix(&d.line, e.Index)
	}
	select {
	case d.changed <- struct{}{}:
	default:
	}
}
