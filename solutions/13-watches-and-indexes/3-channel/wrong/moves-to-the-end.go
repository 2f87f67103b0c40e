// Breaks: A key that is notified while it waits, however often, is added once for all of that, and keeps its place.
// Caught by: TestOneAddForWhatWaits
// Message: the belief that a key that is notified again begins to wait again. One that is notified of

//go:build wrong

package channel

import "slices"

func (s *Source) Notify(key Key) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ended {
		return
	}
	if i := slices.Index(s.order, key); i >= 0 {
		s.order = slices.Delete(s.order, i, i+1) // wrong
	}
	s.waits[key] = true
	s.order = append(s.order, key)
	select {
	case s.wake <- struct{}{}:
	default:
	}
}
