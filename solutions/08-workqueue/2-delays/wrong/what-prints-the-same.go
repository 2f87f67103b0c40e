// Breaks: Two items are the same if they are equal, as == says.
// Caught by: TestTheSame
// Message: it was called 0 times with key{"a", "b c"}

//go:build wrong

package delays

import (
	"container/heap"
	"fmt"
	"sync"
	"time"
)

type Delays[T comparable] struct {
	add func(item T)

	mu      sync.Mutex
	waits   map[string]*Entry[T] // wrong: two items may print the same
	line    Line[T]
	stopped bool
	changed chan struct{}
}

func New[T comparable](add func(item T)) *Delays[T] {
	d := &Delays[T]{add: add, waits: map[string]*Entry[T]{}, changed: make(chan struct{}, 1)}
	go d.run()
	return d
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
	first := heap.Pop(&d.line).(*Entry[T])
	delete(d.waits, fmt.Sprintf("%v", first.Item))
	return first.Item, true
}

func (d *Delays[T]) put(item T, at time.Time) {
	name := fmt.Sprintf("%v", item)
	e, waits := d.waits[name]
	if !waits {
		e = &Entry[T]{Item: item, At: at}
		d.waits[name] = e
		heap.Push(&d.line, e)
	} else if at.Before(e.At) {
		e.At = at
		heap.Fix(&d.line, e.Index)
	}
	select {
	case d.changed <- struct{}{}:
	default:
	}
}
