// Misconception: who waits already has a time, and nothing is left to do.
// Caught by: TestTheEarlierTimeHolds
// Message: the belief that who waits already has a time, and nothing is left to do.

//go:build wrong

package delays

import (
	"container/heap"
	"time"
)

func (d *Delays[T]) put(item T, at time.Time) {
	if _, waits := d.waits[item]; waits {
		return // wrong: at may be earlier
	}
	e := &Entry[T]{Item: item, At: at}
	d.waits[item] = e
	heap.Push(&d.line, e)
	select {
	case d.changed <- struct{}{}:
	default:
	}
}
