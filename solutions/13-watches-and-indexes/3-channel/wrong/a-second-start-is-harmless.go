// Breaks: Only the first call starts anything. Every other one returns an error and changes nothing
// Caught by: TestStartIsOnce
// Message: it returned nil

//go:build wrong

package channel

import "context"

func (s *Source) Start(ctx context.Context, queue Queue) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.started {
		return nil // wrong
	}
	s.started = true
	go s.run(ctx, queue)
	return nil
}
