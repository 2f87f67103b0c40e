// Misconception: add is quick, and may be called while the lock is held.
// Caught by: TestAddCallsAddAfter
// Message: an add that is called while a lock is held

//go:build wrong

package delays

import (
	"container/heap"
	"time"
)

func (d *Delays[T]) next(timer *time.Timer) (item T, due bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for len(d.line) > 0 {
		if wait := time.Until(d.line[0].At); wait > 0 {
			timer.Reset(wait)
			break
		}
		first := heap.Pop(&d.line).(*Entry[T])
		delete(d.waits, first.Item)
		d.add(first.Item) // wrong: it may call AddAfter
	}
	return item, false
}
