package scenario

import (
	"context"
	"sync"
)

// Running is a manager, or a controller, that was started.
type Running struct {
	cancel context.CancelFunc
	ended  chan struct{}
	err    error // when it has ended
}

// Run calls start, which is to return when its context ends. Stop it, also when ctx ends before: a step of a demo has a
// context of its own, and what runs may outlive it.
func Run(ctx context.Context, start func(context.Context) error) *Running {
	running, cancel := context.WithCancel(context.WithoutCancel(ctx))
	r := &Running{cancel: cancel, ended: make(chan struct{})}
	go func() {
		defer close(r.ended)
		r.err = start(running)
	}()
	return r
}

// Cancel ends its context, and does not wait.
func (r *Running) Cancel() { r.cancel() }

// Ended is closed when it has ended.
func (r *Running) Ended() <-chan struct{} { return r.ended }

// Stop stops it, waits until it has ended, and returns what it returned.
func (r *Running) Stop() error {
	r.cancel()
	<-r.ended
	return r.err
}

// Wait waits until it ends by itself, and returns what it returned, or why ctx ended before.
func (r *Running) Wait(ctx context.Context) error {
	select {
	case <-r.ended:
		return r.err
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// All are several that are stopped together.
type All struct {
	lock sync.Mutex // guards all
	all  []*Running
}

// Run is [Run], of one more.
func (a *All) Run(ctx context.Context, start func(context.Context) error) *Running {
	r := Run(ctx, start)
	a.lock.Lock()
	defer a.lock.Unlock()
	a.all = append(a.all, r)
	return r
}

// Stop stops those that run still. What they return is nobody's business.
func (a *All) Stop() {
	a.lock.Lock()
	defer a.lock.Unlock()
	for _, r := range a.all {
		r.Cancel()
	}
	for _, r := range a.all {
		<-r.Ended()
	}
}
