// Package starts has workers, which come with the tasks and go when the line is empty.
package starts

import (
	"container/list"
	"context"
	"errors"
	"fmt"
	"sync"
)

type job struct {
	ctx    context.Context
	cancel context.CancelFunc
	key    string
	task   func(context.Context) error
	place  *list.Element // nil when a worker has it
}

// Starts is a linked line of jobs, with workers.
type Starts struct {
	most int
	done func(key string, err error)

	mu      sync.Mutex
	jobs    map[string]*job
	line    *list.List
	workers int
	idle    chan struct{} // closed when the last worker has gone after Stop
	stopped bool
}

// New returns Starts without a worker.
func New(most int, done func(key string, err error)) *Starts {
	return &Starts{most: most, done: done, jobs: map[string]*job{}, line: list.New(), idle: make(chan struct{})}
}

// Start implements the exercise.
func (s *Starts) Start(ctx context.Context, key string, task func(context.Context) error) (taken bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.stopped || s.jobs[key] != nil {
		return false
	}
	j := &job{key: key, task: task}
	j.ctx, j.cancel = context.WithCancel(context.WithoutCancel(ctx))
	j.place = s.line.PushBack(j)
	s.jobs[key] = j
	if s.workers < s.most {
		s.workers++
		go s.work(s.take())
	}
	return true
}

// take takes the first of the line. The lock is held.
func (s *Starts) take() *job {
	j := s.line.Remove(s.line.Front()).(*job)
	j.place = nil
	return j
}

func (s *Starts) work(j *job) {
	for j != nil {
		err := j.run()
		s.mu.Lock()
		delete(s.jobs, j.key)
		s.mu.Unlock()
		s.done(j.key, err)
		j = s.another()
	}
}

// another returns nil when the worker is to go.
func (s *Starts) another() *job {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.line.Len() > 0 {
		return s.take()
	}
	s.workers--
	if s.stopped && s.workers == 0 {
		close(s.idle)
	}
	return nil
}

func (j *job) run() (err error) {
	defer j.cancel()
	defer func() {
		switch p := recover().(type) {
		case nil:
		case error:
			err = errors.Join(errors.New("panic"), p)
		default:
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	return j.task(j.ctx)
}

// Cancel implements the exercise.
func (s *Starts) Cancel(key string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if j := s.jobs[key]; j != nil {
		j.cancel()
		if j.place != nil {
			s.line.Remove(j.place)
			delete(s.jobs, key)
		}
	}
}

// Stop implements the exercise.
func (s *Starts) Stop() {
	s.mu.Lock()
	s.stopped = true
	for s.line.Len() > 0 {
		j := s.take()
		j.cancel()
		delete(s.jobs, j.key)
	}
	if s.workers == 0 {
		close(s.idle)
	}
	s.mu.Unlock()
	<-s.idle
}
