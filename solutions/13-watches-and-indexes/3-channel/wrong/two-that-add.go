// Breaks: The next Add is called when the one before it has returned, and not earlier.
// Caught by: TestNotifyWaitsForNobody
// Message: 2 Adds ran at one time

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
	go s.run(ctx, queue) // wrong: one more than below
	s.started = true
	go s.run(ctx, queue)
	return nil
}
