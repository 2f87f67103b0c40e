// Breaks: From then on the Source keeps no key: those that waited are dropped, and Notify does nothing.
// Caught by: TestMemory
// Message: the belief that who stops can leave what waits where it is. The Source outlives its contro

//go:build wrong

package channel

func (s *Source) Notify(key Key) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ended && len(s.waits) == 0 || s.waits[key] {
		return
	}
	s.waits[key] = true
	s.order = append(s.order, key)
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

func (s *Source) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ended = true
	s.order = nil // wrong: in waits they are still there
}
