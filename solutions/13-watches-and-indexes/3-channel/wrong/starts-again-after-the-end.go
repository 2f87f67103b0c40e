// Misconception: a Source whose controller has stopped can be started by another one.
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
	if s.started && !s.ended {
		return errors.New("the source was started before")
	}
	if s.ended {
		s.ended, s.waits = false, map[Key]bool{} // wrong
	}
	s.started = true
	go s.run(ctx, queue)
	return nil
}
