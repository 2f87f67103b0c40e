// Breaks: ever notified, or how often.
// Caught by: TestMemory
// Message: the belief that keys are few. There is one for each object that ever was

//go:build wrong

package channel

func (s *Source) next() (key Key, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.order) == 0 {
		return Key{}, false
	}
	key, s.order = s.order[0], s.order[1:]
	s.waits[key] = false // wrong: the key is still there
	return key, true
}
