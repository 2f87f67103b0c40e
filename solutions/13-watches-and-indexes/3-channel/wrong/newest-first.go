// Misconception: the newest matters most.
// Caught by: TestBeforeStart
// Message: the belief that who comes last is in a hurry. While others keep coming, the first one is n

//go:build wrong

package channel

func (s *Source) next() (key Key, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	last := len(s.order) - 1
	if last < 0 {
		return Key{}, false
	}
	key, s.order = s.order[last], s.order[:last] // wrong
	delete(s.waits, key)
	return key, true
}
