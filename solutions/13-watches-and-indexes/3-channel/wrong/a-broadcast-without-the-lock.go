// Misconception: a Broadcast needs no lock, since it changes nothing.
// Caught by: TestTheEndWhenItIsAboutToWait
// Message: the belief that who is called hears it
// Base: alt/cond

//go:build wrong

package channel

import (
	"context"
	"errors"
	"sync"

	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

type Source struct {
	mu      sync.Mutex
	change  sync.Cond
	started bool
	ended   bool
	places  map[Key]uint64
	keys    map[uint64]Key
	first   uint64
	free    uint64
	goesOn  func() bool // ctx has not ended
}

func (s *Source) Start(ctx context.Context, queue Queue) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.started {
		return errors.New("a source has one controller")
	}
	s.started = true
	s.goesOn = func() bool { return ctx.Err() == nil }
	context.AfterFunc(ctx, s.change.Broadcast) // wrong: it comes between a look at ctx and the wait
	go func() {
		defer s.end()
		for key, ok := s.next(); ok && ctx.Err() == nil; key, ok = s.next() {
			queue.Add(reconcile.Request{NamespacedName: key})
		}
	}()
	return nil
}

// next waits for a key, or for the end.
func (s *Source) next() (Key, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for s.first == s.free && s.goesOn() {
		s.change.Wait()
	}
	if !s.goesOn() {
		return Key{}, false
	}
	key := s.keys[s.first]
	delete(s.keys, s.first)
	delete(s.places, key)
	s.first++
	return key, true
}
