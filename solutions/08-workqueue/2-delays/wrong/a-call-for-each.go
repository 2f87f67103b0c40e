// Misconception: each call of AddAfter is a call of add.
// Caught by: TestTheEarlierTimeHolds
// Message: the belief that each call is a call of add.

//go:build wrong

package delays

import (
	"container/heap"
	"time"
)

func (d *Delays[T]) put(item T, at time.Time) {
	heap.Push(&d.line, &Entry[T]{Item: item, At: at}) // wrong: it may be there
	select {
	case d.changed <- struct{}{}:
	default:
	}
}
