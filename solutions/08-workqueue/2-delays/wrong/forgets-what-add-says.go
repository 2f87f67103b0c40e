// Breaks: If AddAfter is called while that add runs, it waits again.
// Caught by: TestWaitsAgain
// Message: a+0s, where add of a calls AddAfter of a with 1s

//go:build wrong

package delays

import (
	"container/heap"
	"time"
)

func (d *Delays[T]) AddAfter(item T, delay time.Duration) {
	d.mu.Lock()
	defer d.mu.Unlock()
	switch {
	case d.stopped:
	case delay > 0:
		d.put(item, time.Now().Add(delay))
	default:
		d.mu.Unlock()
		d.add(item)
		d.mu.Lock()
		if e, waits := d.waits[item]; waits && !d.stopped {
			heap.Remove(&d.line, e.Index) // wrong: it may wait since add was called
			delete(d.waits, item)
		}
	}
}
