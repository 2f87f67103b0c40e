// Misconception: a channel is closed when its receiver ends.
// Caught by: TestNotifyWaitsForNobody
// Message: it panicked: send on closed channel

//go:build wrong

package channel

func (s *Source) Notify(key Key) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.waits[key] {
		return
	}
	if !s.ended {
		s.waits[key] = true
		s.order = append(s.order, key)
	}
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

func (s *Source) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ended, s.order, s.waits = true, nil, nil
	close(s.wake) // wrong
}
