// Breaks: It takes no longer when many keys wait.
// Caught by: TestManyThatAreAdded
// Message: Points to: the belief that to take the first out of a slice is quick. All others are moved, with a lock
// held, and whoever notifies waits for that

//go:build wrong

package channel

import "slices"

// next takes the first of those that wait. It waits no more, so that a Notify from now on is one of its own.
func (s *Source) next() (key Key, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.order) == 0 {
		return Key{}, false
	}
	key = s.order[0]
	s.order = slices.Delete(s.order, 0, 1)
	delete(s.waits, key)
	return key, true
}
