// Misconception: a timer that runs will do.
// Caught by: TestInItsMoment
// Message: the belief that a timer that runs will do.

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
		e.At = at
		heap.Fix(&d.line, e.Index)
	}
	if len(d.line) > 1 {
		return // wrong: run need not wake, since its timer is set
	}
	select {
	case d.changed <- struct{}{}:
	default:
	}
}
