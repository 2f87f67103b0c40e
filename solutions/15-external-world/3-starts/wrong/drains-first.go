// Misconception: what was taken is done before the end.
// Caught by: TestNothingBegins
// Message: the belief that what was taken is done before the end

//go:build wrong

package starts

func (s *Starts) Stop() {
	s.mu.Lock()
	s.stopped = true
	s.mu.Unlock()
	s.untold.Wait()
}
