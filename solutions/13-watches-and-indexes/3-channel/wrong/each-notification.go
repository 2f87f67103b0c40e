// Misconception: each notification has to be passed on.
// Caught by: TestOneAddForWhatWaits
// Message: the belief that each notification has to be passed on. All that it says is that an object

//go:build wrong

package channel

func (s *Source) Notify(key Key) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ended {
		return
	} // wrong: whatever waits already
	s.waits[key] = true
	s.order = append(s.order, key)
	select {
	case s.wake <- struct{}{}:
	default:
	}
}
