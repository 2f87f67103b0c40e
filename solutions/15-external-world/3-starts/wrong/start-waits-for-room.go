// Misconception: a limit is kept by having who comes wait, as errgroup's SetLimit does.
// Caught by: TestStartDoesNotWait
// Message: the belief that whoever finds no room has to wait for it

//go:build wrong

package starts

import (
	"context"
	"sync"
)

// Starts has a place in room for each task that may run.
type Starts struct {
	most int
	done func(key string, err error)

	mu      sync.Mutex
	running map[string]context.CancelFunc
	waiting []start
	stopped bool
	untold  sync.WaitGroup
	room    chan struct{}
}

func New(most int, done func(key string, err error)) *Starts {
	return &Starts{most: most, done: done, running: map[string]context.CancelFunc{}, room: make(chan struct{}, most)}
}

func (s *Starts) Start(ctx context.Context, key string, task func(context.Context) error) (taken bool) {
	s.room <- struct{}{}
	s.untold.Go(func() {
		err := attempt(context.WithoutCancel(ctx), task)
		<-s.room
		s.done(key, err)
	})
	return true
}
