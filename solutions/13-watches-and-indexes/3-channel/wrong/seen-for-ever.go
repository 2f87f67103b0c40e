// Misconception: a set of what has been seen keeps each key from being added twice.
// Caught by: TestNotifiedAgain
// Message: the belief that a key that was added needs no other Add

//go:build wrong

package channel

func (s *Source) next() (key Key, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.order) == 0 {
		return Key{}, false
	}
	key, s.order = s.order[0], s.order[1:] // wrong: it stays in waits
	return key, true
}
