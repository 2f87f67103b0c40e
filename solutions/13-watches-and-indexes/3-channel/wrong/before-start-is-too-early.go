// Misconception: what comes before Start is of no use.
// Caught by: TestNotifyWaitsForNobody
// Message: the belief that what is told before anybody listens is of no use. What has happened is tol

//go:build wrong

package channel

func (s *Source) Notify(key Key) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.started || s.ended || s.waits[key] {
		return
	}
	s.waits[key] = true
	s.order = append(s.order, key)
	select {
	case s.wake <- struct{}{}:
	default:
	}
}
