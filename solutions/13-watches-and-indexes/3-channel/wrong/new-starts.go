// Breaks: Before Start a Source has no goroutine.
// Caught by: TestGoroutines
// Message: the belief that what a Source needs it may start when it is made

//go:build wrong

package channel

import (
	"context"
	"errors"
	"sync"
)

type Source struct {
	mu      sync.Mutex
	started bool
	ended   bool
	order   []Key
	waits   map[Key]bool
	wake    chan struct{}
	begin   chan func()
}

func New() *Source {
	s := &Source{waits: map[Key]bool{}, wake: make(chan struct{}, 1), begin: make(chan func(), 1)}
	go func() { (<-s.begin)() }() // wrong: it may wait for ever
	return s
}

func (s *Source) Start(ctx context.Context, queue Queue) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.started {
		return errors.New("the source was started before")
	}
	s.started = true
	s.begin <- func() { s.run(ctx, queue) }
	return nil
}
