// Breaks: A key that is notified while it waits, however often, is added once for all of that, and keeps its place.
// Caught by: TestOneAddForWhatWaits
// Message: the belief that a key is on its way when it was taken out. Its Add has not been called yet

//go:build wrong

package channel

func (s *Source) next() (key Key, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.order) == 0 {
		return Key{}, false
	}
	key, s.order = s.order[0], s.order[1:]
	clear(s.waits) // wrong: the others wait, too
	return key, true
}
