// Misconception: a heap sees what changes in it.
// Caught by: TestTheEarlierTimeHolds
// Message: the belief that a heap sees what changes in it.

//go:build wrong

package delays

import (
	"container/heap"
	"time"
)

func (d *Delays[T]) put(item T, at time.Time) {
	e, waits := d.waits[item]
	if !waits {
		e = &Entry[T]{Item: item, At: at}
		d.waits[item] = e
		heap.Push(&d.line, e)
	} else if at.Before(e.At) {
		e.At = at // wrong: it stays where it is
	}
	select {
	case d.changed <- struct{}{}:
	default:
	}
}
