// Misconception: what was taken has to be done, and sees that its context has ended.
// Caught by: TestCancelWhatWaits
// Message: the belief that what was taken has to be begun

//go:build wrong

package starts

import "context"

func (s *Starts) Cancel(key string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if cancel := s.running[key]; cancel != nil {
		cancel()
	}
	for i := range s.waiting {
		if w := &s.waiting[i]; w.key == key {
			ctx, cancel := context.WithCancel(w.ctx)
			w.ctx = ctx
			cancel()
		}
	}
}
