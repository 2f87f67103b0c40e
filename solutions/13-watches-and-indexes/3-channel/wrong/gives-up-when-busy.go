// Breaks: Any number of goroutines may call it, at any time: before Start, if Start is never called
// Caught by: TestEachIsNotifiedOnce
// Message: eight goroutines notify 2000 keys each, every key once: all are added

//go:build wrong

package channel

func (s *Source) Notify(key Key) {
	if !s.mu.TryLock() {
		return // wrong
	}
	defer s.mu.Unlock()
	if s.ended || s.waits[key] {
		return
	}
	s.waits[key] = true
	s.order = append(s.order, key)
	select {
	case s.wake <- struct{}{}:
	default:
	}
}
