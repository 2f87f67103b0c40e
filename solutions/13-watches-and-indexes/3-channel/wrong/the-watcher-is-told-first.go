// Breaks: When the ctx of Start has ended, no Add is called any more, not even for what waits.
// Caught by: TestAnAddEndsIt
// Message: Points to: the belief that whoever watches for the end is told before anybody goes on. ctx has ended, and a
// goroutine that waits for it has not run yet
// Removes: Source.end

//go:build wrong

package channel

import (
	"container/list"
	"context"
	"errors"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
	"sync"
)

// A Source has a controller look at objects. It is a source.Source of controller-runtime: a controller that watches it
// calls Start when it begins to work. On a replica that stands by, that is never.
//
// A key begins to wait when it is notified, and waits until its Add is called. That is queue.Add, with the Request of
// this key.
//
// What is added:
//
//   - Every key that waits is added, once Start was called.
//   - A key that is notified while it waits, however often, is added once for all of that, and keeps its place.
//   - A key that is notified when its Add was called already begins to wait again, also while that Add still runs.
//   - The key that began to wait first is added first. No key waits when the Source is new.
//   - The next Add is called when the one before it has returned, and not earlier.
//   - It is called then, or, if no key waits, at the next Notify: nobody waits for time to pass, or for more to come.
//   - Any Key is a key, also one without a namespace or a name.
//   - Of the queue's methods none but Add is called.
//
// Notify:
//
//   - Any number of goroutines may call it, at any time: before Start, if Start is never called, in the middle of an
//     Add, which may itself call it and wait for it to return, and when ctx has ended.
//   - It returns at once. It waits neither for Start nor for an Add, and there is room for any number of keys.
//   - It takes no longer when many keys wait.
//   - It starts no goroutine, and calls no method of the queue.
//
// Start:
//
//   - It returns nil at once, and does not wait for an Add. The goroutines that it starts are one or two for the
//     whole life of the Source, and make all Adds.
//   - Only the first call starts anything. Every other one returns an error and changes nothing, also if it comes at
//     the same moment, or when the ctx of the first has ended.
//
// The end:
//
//   - When the ctx of Start has ended, no Add is called any more, not even for what waits. (One that is about to be
//     called at this very moment may be.)
//   - If it had ended before Start, it is the same: Start returns nil, and no Add is called.
//   - When ctx has ended and no Add runs, whatever Start has started ends at once.
//   - From then on the Source keeps no key: those that waited are dropped, and Notify does nothing.
//
// What it costs:
//
//   - Before Start a Source has no goroutine.
//   - While there is nothing to add, nothing runs: nobody looks again and again, and there is no timer.
//   - The memory that it takes is bounded by the number of different keys that wait at one time, not by how many were
//     ever notified, or how often.
//   - Any number of Sources may be used at once. They share nothing.
type Source struct {
	mu      sync.Mutex
	changed *sync.Cond // a key began to wait, or the end has come
	order   *list.List
	waits   map[Key]struct{}
	started bool
	ended   bool
}

// New returns a Source that nobody has started yet.
func New() *Source {
	s := &Source{order: list.New(), waits: map[Key]struct{}{}}
	s.changed = sync.NewCond(&s.mu)
	return s
}

// Notify says that something has happened, and that the object with this key is to be looked at.
func (s *Source) Notify(key Key) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ended {
		return
	}
	if _, ok := s.waits[key]; ok {
		return
	}
	s.waits[key] = struct{}{}
	s.order.PushBack(key)
	s.changed.Signal()
}

// Start has the keys that wait added to the queue, from now on and until ctx ends. A controller calls it.
func (s *Source) Start(ctx context.Context, queue Queue) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.started {
		return errors.New("channel: the source was started already")
	}
	s.started = true
	if ctx.Err() != nil {
		s.drop()
		return nil
	}
	go s.run(queue)
	go func() {
		<-ctx.Done()
		s.mu.Lock()
		defer s.mu.Unlock()
		s.drop()
		s.changed.Broadcast()
	}()
	return nil
}

// run adds the keys in their order until the end.
func (s *Source) run(queue Queue) {
	for {
		key, ok := s.next()
		if !ok {
			return
		}
		queue.Add(reconcile.Request{NamespacedName: key})
	}
}

// next waits for a key and takes the one that has waited longest. It returns false at the end.
func (s *Source) next() (Key, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for s.order.Len() == 0 && !s.ended {
		s.changed.Wait()
	}
	if s.ended {
		return Key{}, false
	}
	key := s.order.Remove(s.order.Front()).(Key)
	delete(s.waits, key)
	return key, true
}

// drop drops every key, and has Notify do nothing from now on. The caller holds s.mu.
func (s *Source) drop() {
	s.ended = true
	s.order = list.New()
	s.waits = nil
}
