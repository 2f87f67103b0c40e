// Breaks: the same moment, or when the ctx of the first has ended.
// Caught by: TestStartsAtOnce
// Message: eight goroutines call Start at one moment: one gets nil

//go:build wrong

package channel

import (
	"context"
	"errors"
	"runtime"
)

func (s *Source) Start(ctx context.Context, queue Queue) error {
	s.mu.Lock()
	started := s.started
	s.mu.Unlock()
	if started {
		return errors.New("the source was started before")
	}
	runtime.Gosched()
	s.mu.Lock()
	s.started = true // wrong: another one may have come in between
	s.mu.Unlock()
	go s.run(ctx, queue)
	return nil
}
