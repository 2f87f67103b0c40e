// Package starts has a goroutine for each task from its Start on, which waits for its ticket.
package starts

import (
	"context"
	"fmt"
	"sync"
)

// Starts has an entry for each key that is not free.
type Starts struct {
	most int
	done func(key string, err error)

	mu      sync.Mutex
	ended   *sync.Cond // something has been told
	entries map[string]*entry
	line    []*entry
	busy    int
	alive   int
	closed  bool
}

type entry struct {
	ticket chan bool // true: go on
	begun  bool
	cancel context.CancelFunc
}

// New returns Starts without an entry.
func New(most int, done func(key string, err error)) *Starts {
	s := &Starts{most: most, done: done, entries: map[string]*entry{}}
	s.ended = sync.NewCond(&s.mu)
	return s
}

// Start implements the exercise.
func (s *Starts) Start(ctx context.Context, key string, task func(context.Context) error) (taken bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, there := s.entries[key]; there || s.closed {
		return false
	}
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	e := &entry{ticket: make(chan bool, 1), cancel: cancel}
	s.entries[key] = e
	s.line = append(s.line, e)
	s.next()
	s.alive++
	go s.wait(ctx, key, e, task)
	return true
}

// next hands tickets out. The lock is held.
func (s *Starts) next() {
	for ; s.busy < s.most && len(s.line) > 0; s.line = s.line[1:] {
		s.busy++
		s.line[0].begun = true
		s.line[0].ticket <- true
	}
}

func (s *Starts) wait(ctx context.Context, key string, e *entry, task func(context.Context) error) {
	defer func() {
		s.mu.Lock()
		s.alive--
		s.mu.Unlock()
		s.ended.Broadcast()
	}()
	defer e.cancel()
	if !<-e.ticket {
		return
	}
	err := func() (err error) {
		returned := false
		defer func() {
			if !returned {
				err = fmt.Errorf("panic: %v", recover())
			}
		}()
		err = task(ctx)
		returned = true
		return err
	}()
	s.mu.Lock()
	s.busy--
	delete(s.entries, key)
	s.next()
	s.mu.Unlock()
	s.done(key, err)
}

// Cancel implements the exercise.
func (s *Starts) Cancel(key string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	e := s.entries[key]
	if e == nil {
		return
	}
	if e.begun {
		e.cancel()
		return
	}
	delete(s.entries, key)
	for i := range s.line {
		if s.line[i] == e {
			s.line = append(s.line[:i:i], s.line[i+1:]...)
			break
		}
	}
	e.ticket <- false
}

// Stop implements the exercise.
func (s *Starts) Stop() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	for _, e := range s.line {
		e.ticket <- false
	}
	s.line = nil
	for s.alive > 0 {
		s.ended.Wait()
	}
}
