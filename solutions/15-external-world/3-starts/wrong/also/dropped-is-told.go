// Misconception: done is told of each task.
// Stage: 4

//go:build wrong

package starts

import "context"

func (s *Starts) Stop() {
	s.mu.Lock()
	dropped := s.waiting
	s.stopped, s.waiting = true, nil
	s.mu.Unlock()
	for _, w := range dropped {
		s.done(w.key, context.Canceled)
	}
	s.untold.Wait()
}
