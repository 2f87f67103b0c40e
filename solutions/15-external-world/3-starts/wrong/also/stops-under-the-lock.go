// Misconception: what belongs together is done under the lock.
// Stage: 4

//go:build wrong

package starts

func (s *Starts) Stop() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stopped, s.waiting = true, nil
	s.untold.Wait()
}
