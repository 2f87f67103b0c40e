// Wrong: Of two delays of one item the later one holds.
// Base: chapters/08-workqueue/workqueue/schedule.go
// Mechanism: workqueue
// Upstream: none
// Book: chapters/08-workqueue/workqueue TestSchedule

//go:build wrong

package workqueue

import (
	"container/heap"
	"time"
)

func (s *Schedule[T]) Add(item T, at time.Time) (earlier bool) {
	w, waits := s.byItem[item]
	switch {
	case !waits:
		w = &waiting[T]{item: item, at: at, came: s.number()}
		s.byItem[item] = w
		heap.Push(&s.byTime, w)
	case at.After(w.at):
		w.at, w.came = at, s.number()
		heap.Fix(&s.byTime, w.index)
	default:
		return false
	}
	return w.index == 0
}
