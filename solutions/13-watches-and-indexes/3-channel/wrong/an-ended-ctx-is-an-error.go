// Breaks: If it had ended before Start, it is the same: Start returns nil, and no Add is called.
// Caught by: TestStartIsOnce
// Message: it returned context canceled

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
	if err := ctx.Err(); err != nil {
		s.started, s.ended = true, true
		return err // wrong
	}
	s.started = true
	go s.run(ctx, queue)
	return nil
}
