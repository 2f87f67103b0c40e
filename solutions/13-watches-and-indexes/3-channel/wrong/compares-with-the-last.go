// Misconception: what comes several times comes one after the other.
// Caught by: TestOneAddForWhatWaits
// Message: the belief that it is enough to compare with the last one

//go:build wrong

package channel

func (s *Source) Notify(key Key) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if n := len(s.order); s.ended || n > 0 && s.order[n-1] == key { // wrong
		return
	}
	s.waits[key] = true
	s.order = append(s.order, key)
	select {
	case s.wake <- struct{}{}:
	default:
	}
}
