// Breaks: Only the first call starts anything. Every other one returns an error and changes nothing
// Caught by: TestStartIsOnce
// Message: it returned nil

//go:build wrong

package channel

import (
	"context"
	"errors"
)

func (s *Source) Start(ctx context.Context, queue Queue) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.started {
		return errors.New("the source was started before")
	}
	if ctx.Err() != nil {
		return nil // wrong: the next one is the first
	}
	s.started = true
	go s.run(ctx, queue)
	return nil
}
