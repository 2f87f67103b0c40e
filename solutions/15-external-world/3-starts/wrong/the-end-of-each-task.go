// Misconception: the end is that of each task.
// Caught by: TestNothingBegins
// Message: the belief that the end is that of each task

//go:build wrong

package starts

func (s *Starts) Stop() {
	s.mu.Lock()
	s.stopped, s.waiting = true, nil
	for _, cancel := range s.running {
		cancel()
	}
	s.mu.Unlock()
	s.untold.Wait()
}
