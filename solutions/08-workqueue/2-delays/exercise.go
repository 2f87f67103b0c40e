// Package delays keeps items until their time has come. A controller that has failed with an object wants to look at it
// again in a while, and not at once.
package delays

import (
	"container/heap"
	"sync"
	"time"
)

// Delays holds items that wait, and calls add with each when its time has come: add puts it into a controller's queue.
//
//   - add is called with an item that waits in the moment in which its time has come, not earlier and not later. Items
//     whose times come in the same moment are added in this moment, in any order.
//   - add may take its time. An item whose time comes meanwhile may be held up until no add runs any more.
//   - If AddAfter is called with an item that waits already, the earlier of the two times holds, and add is called
//     once.
//   - An item waits until add is called with it, also when it is held up, and no longer. If AddAfter is called while
//     that add runs, it waits again.
//   - AddAfter waits for no add but the one that it calls itself.
//   - add may call AddAfter, with any item and any delay. It does not call Stop.
//   - However many items wait, there is no goroutine for each.
//   - Any number of goroutines may call the methods at once. add is called in any goroutine, also by several at once.
//
// Two items are the same if they are equal, as == says. Each is equal to itself.
type Delays[T comparable] struct {
	add func(item T)

	//solution:begin
	//todo: add the fields you need
	mu      sync.Mutex // guards what follows
	waits   map[T]*Entry[T]
	line    Line[T] // of the same
	stopped bool
	changed chan struct{} // holds one when something has changed, and is closed when that is Stop
	//solution:end
}

// New returns a Delays in which nothing waits. Who has one calls Stop in the end.
func New[T comparable](add func(item T)) *Delays[T] {
	//solution:begin
	//todo: make what your fields need
	//stub: return &Delays[T]{add: add}
	d := &Delays[T]{add: add, waits: map[T]*Entry[T]{}, changed: make(chan struct{}, 1)}
	go d.run()
	return d
	//solution:end
}

// AddAfter has add be called with an item when a delay is over.
//
//   - If the delay is zero or less, add is called at once, before AddAfter returns. If the item waits already, it is
//     left open whether it goes on waiting.
//   - After Stop it does nothing.
func (d *Delays[T]) AddAfter(item T, delay time.Duration) {
	//solution:begin
	//todo: add the item at once, or have it wait
	d.mu.Lock()
	stopped := d.stopped
	if delay > 0 && !stopped {
		d.put(item, time.Now().Add(delay))
	}
	d.mu.Unlock()
	if delay <= 0 && !stopped {
		d.add(item)
	}
	//solution:end
}

// Stop forgets what waits.
//
//   - When Stop has returned, add is not called any more, also not with items that were held up. What comes in the very
//     moment of Stop may be added, or not.
//   - Stop may wait for an add that runs, or not. When no add runs any more, no goroutine is left behind.
//   - Stop may be called again, and then does nothing.
func (d *Delays[T]) Stop() {
	//solution:begin
	//todo: forget what waits, and end what you have started
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.stopped {
		d.stopped, d.line = true, nil
		close(d.changed)
	}
	//solution:end
}

// An Entry is an item in a Line.
type Entry[T any] struct {
	Item  T
	At    time.Time
	Index int // where in the Line it is
}

// Line is a heap.Interface of package container/heap: the earliest is at index 0. It saves you the typing, if you want
// a heap. You may do without it, and without Entry.
type Line[T any] []*Entry[T]

// Len is part of heap.Interface.
func (l Line[T]) Len() int { return len(l) }

// Less is part of heap.Interface.
func (l Line[T]) Less(i, j int) bool { return l[i].At.Before(l[j].At) }

// Swap is part of heap.Interface.
func (l Line[T]) Swap(i, j int) {
	l[i], l[j] = l[j], l[i]
	l[i].Index, l[j].Index = i, j
}

// Push is part of heap.Interface.
func (l *Line[T]) Push(e any) {
	e.(*Entry[T]).Index = len(*l)
	*l = append(*l, e.(*Entry[T]))
}

// Pop is part of heap.Interface.
func (l *Line[T]) Pop() any {
	last := len(*l) - 1
	e := (*l)[last]
	*l = (*l)[:last]
	return e
}

//solution:begin

// run calls add with each item whose time has come, until Stop is called.
func (d *Delays[T]) run() {
	timer := time.NewTimer(0)
	for open := true; open; {
		select {
		case <-timer.C:
		case _, open = <-d.changed:
		}
		for item, due := d.next(timer); due; item, due = d.next(timer) {
			d.add(item)
		}
	}
}

// next takes out an item whose time has come. If there is none, it sets the timer to the time of the first.
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
	delete(d.waits, first.Item)
	return first.Item, true
}

// put has an item wait until a time, or until an earlier one for which it waits already. The lock is held.
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
	select {
	case d.changed <- struct{}{}:
	default: // run will look anyway
	}
}

//solution:end
