// Package starts has a table of tasks with numbers. A goroutine of each waits on one Cond until its turn has come.
package starts

import (
	"context"
	"fmt"
	"sync"
)

type phase int

const (
	waits phase = iota
	runs
	goes // taken back
)

type one struct {
	number int
	phase  phase
	cancel func()
}

// Starts is a table.
type Starts struct {
	most int
	done func(key string, err error)

	change *sync.Cond
	table  map[string]*one
	number int
	ended  bool
	all    sync.WaitGroup

	running int
}

// New returns Starts with an empty table.
func New(most int, done func(key string, err error)) *Starts {
	return &Starts{most: most, done: done, table: map[string]*one{}, change: sync.NewCond(&sync.Mutex{})}
}

func (s *Starts) locked(f func()) {
	s.change.L.Lock()
	defer s.change.L.Unlock()
	f()
	s.change.Broadcast()
}

// Start implements the exercise.
func (s *Starts) Start(ctx context.Context, key string, task func(context.Context) error) (taken bool) {
	s.locked(func() {
		if s.ended || s.table[key] != nil {
			return
		}
		taken = true
		s.number++
		own := context.WithoutCancel(ctx)
		o := &one{number: s.number}
		own, o.cancel = context.WithCancel(own)
		s.table[key] = o
		s.all.Go(func() { s.live(own, key, o, task) })
	})
	return taken
}

// turn says whether it is that of o: there is room, and nobody who waits came earlier.
func (s *Starts) turn(o *one) bool {
	if s.running >= s.most {
		return false
	}
	for _, other := range s.table {
		if other.phase == waits && other.number < o.number {
			return false
		}
	}
	return true
}

func (s *Starts) live(ctx context.Context, key string, o *one, task func(context.Context) error) {
	defer o.cancel()
	s.change.L.Lock()
	for o.phase == waits && !s.turn(o) {
		s.change.Wait()
	}
	if o.phase == goes {
		s.change.L.Unlock()
		return
	}
	o.phase = runs
	s.running++
	s.change.Broadcast() // there may be room for the next one
	s.change.L.Unlock()
	var err error
	func() {
		defer func() {
			if r := recover(); r != nil {
				err = fmt.Errorf("%q panicked: %v", key, r)
			}
		}()
		err = task(ctx)
	}()
	s.locked(func() {
		s.running--
		delete(s.table, key)
	})
	s.done(key, err)
}

// Cancel implements the exercise.
func (s *Starts) Cancel(key string) {
	s.locked(func() {
		switch o := s.table[key]; {
		case o == nil:
		case o.phase == runs:
			o.cancel()
		default:
			s.drop(key)
		}
	})
}

func (s *Starts) drop(key string) {
	s.table[key].phase = goes
	delete(s.table, key)
}

// Stop implements the exercise.
func (s *Starts) Stop() {
	s.locked(func() {
		s.ended = true
		for key, o := range s.table {
			if o.phase == waits {
				s.drop(key)
			}
		}
	})
	s.all.Wait()
}
