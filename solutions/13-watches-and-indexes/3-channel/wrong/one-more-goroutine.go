// Misconception: who starts twice wants two.
// Caught by: TestStartIsOnce
// Message: 1 were

//go:build wrong

package channel

import (
	"context"
	"errors"
)

func (s *Source) Start(ctx context.Context, queue Queue) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	again := s.started
	s.started = true
	go s.run(ctx, queue) // wrong: again, too
	if again {
		return errors.New("the source was started before")
	}
	return nil
}
