// Breaks: Any Key is a key, also one without a namespace or a name.
// Caught by: TestAnyKey
// Message: each is added once, in this order

//go:build wrong

package channel

func (s *Source) Notify(key Key) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ended || s.waits[key] || key == (Key{}) {
		return
	}
	s.waits[key] = true
	s.order = append(s.order, key)
	select {
	case s.wake <- struct{}{}:
	default:
	}
}
