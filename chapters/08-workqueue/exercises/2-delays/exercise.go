// Package delays keeps items until their time has come. A controller that has failed with an object wants to look at it
// again in a while, and not at once.
package delays

import (
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

	// TODO: add the fields you need
}

// New returns a Delays in which nothing waits. Who has one calls Stop in the end.
func New[T comparable](add func(item T)) *Delays[T] {
	// TODO: make what your fields need
	return &Delays[T]{add: add}
}

// AddAfter has add be called with an item when a delay is over.
//
//   - If the delay is zero or less, add is called at once, before AddAfter returns. If the item waits already, it is
//     left open whether it goes on waiting.
//   - After Stop it does nothing.
func (d *Delays[T]) AddAfter(item T, delay time.Duration) {
	// TODO: add the item at once, or have it wait
}

// Stop forgets what waits.
//
//   - When Stop has returned, add is not called any more, also not with items that were held up. What comes in the very
//     moment of Stop may be added, or not.
//   - Stop may wait for an add that runs, or not. When no add runs any more, no goroutine is left behind.
//   - Stop may be called again, and then does nothing.
func (d *Delays[T]) Stop() {
	// TODO: forget what waits, and end what you have started
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
