// Breaks: It takes no longer when many keys wait.
// Caught by: TestManyThatWait
// Message: the belief that to look through all that wait is quick. It is done for each of them, and w

//go:build wrong

package channel

import "slices"

func (s *Source) Notify(key Key) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ended || slices.Contains(s.order, key) { // wrong
		return
	}
	s.waits[key] = true
	s.order = append(s.order, key)
	select {
	case s.wake <- struct{}{}:
	default:
	}
}
