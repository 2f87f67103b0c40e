// Misconception: each source has a goroutine of the controller, and Start may stay in it.
// Caught by: TestNotifyWaitsForNobody
// Message: the belief that a controller has a goroutine for each of its sources. It starts them one a

//go:build wrong

package channel

import (
	"context"
	"errors"
)

func (s *Source) Start(ctx context.Context, queue Queue) error {
	s.mu.Lock()
	again := s.started
	s.started = true
	s.mu.Unlock()
	if again {
		return errors.New("the source was started before")
	}
	s.run(ctx, queue) // wrong
	return nil
}
