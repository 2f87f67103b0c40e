package workqueue

import (
	"container/heap"
	"time"
)

// Schedule has items that wait, each for its time. An item waits once: of several times the earliest holds. It is for
// one goroutine at a time. [NewSchedule] makes one.
//
// Upstream: waitForPriorityQueue and insert, in util/workqueue/delaying_queue.go.
type Schedule[T comparable] struct {
	byTime byTime[T]
	byItem map[T]*waiting[T]
	came   uint64 // the highest number so far
}

// waiting is an item, and when its time is.
type waiting[T comparable] struct {
	item  T
	at    time.Time
	came  uint64 // of two with the same time, who was first given it leaves first
	index int    // in the heap, which keeps it
}

// NewSchedule returns an empty schedule.
func NewSchedule[T comparable]() *Schedule[T] {
	return &Schedule[T]{byItem: map[T]*waiting[T]{}}
}

// Add has an item wait until at, or until the time for which it waits already, whichever is earlier. It says whether
// the first time for which anything waits is an earlier one now.
func (s *Schedule[T]) Add(item T, at time.Time) (earlier bool) {
	w, waits := s.byItem[item]
	switch {
	case !waits:
		w = &waiting[T]{item: item, at: at, came: s.number()}
		s.byItem[item] = w
		heap.Push(&s.byTime, w)
	case at.Before(w.at):
		w.at, w.came = at, s.number()
		heap.Fix(&s.byTime, w.index)
	default:
		return false
	}
	return w.index == 0
}

// number is above all numbers before it.
func (s *Schedule[T]) number() uint64 {
	s.came++
	return s.came
}

// Next is the first time for which anything waits.
func (s *Schedule[T]) Next() (at time.Time, some bool) {
	if len(s.byTime) == 0 {
		return time.Time{}, false
	}
	return s.byTime[0].at, true
}

// Due takes out one item whose time has come, the one with the earliest time.
func (s *Schedule[T]) Due(now time.Time) (item T, some bool) {
	if len(s.byTime) == 0 || s.byTime[0].at.After(now) {
		return item, false
	}
	item = heap.Pop(&s.byTime).(*waiting[T]).item
	delete(s.byItem, item)
	return item, true
}

// Remove takes out an item, whenever its time is.
func (s *Schedule[T]) Remove(item T) {
	if w, waits := s.byItem[item]; waits {
		heap.Remove(&s.byTime, w.index)
		delete(s.byItem, item)
	}
}

// byTime is the heap, for container/heap: the earliest is at 0, and each knows its place.
type byTime[T comparable] []*waiting[T]

func (h byTime[T]) Len() int { return len(h) }

func (h byTime[T]) Less(i, j int) bool {
	if order := h[i].at.Compare(h[j].at); order != 0 {
		return order < 0
	}
	return h[i].came < h[j].came
}

func (h byTime[T]) Swap(i, j int) {
	h[i], h[j] = h[j], h[i]
	h[i].index, h[j].index = i, j
}

func (h *byTime[T]) Push(x any) {
	w := x.(*waiting[T])
	w.index = len(*h)
	*h = append(*h, w)
}

func (h *byTime[T]) Pop() any {
	last := len(*h) - 1
	w := (*h)[last]
	(*h)[last] = nil
	*h = (*h)[:last]
	return w
}
