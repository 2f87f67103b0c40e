// Breaks: If it had ended before Start, it is the same: Start returns nil, and no Add is called.
// Caught by: TestTheEnd
// Message: Points to: the belief that a select takes the first of its cases that is ready. It takes any of them
// Removes: Source.next

//go:build wrong

package channel

import (
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
	waiting map[Key]struct{}
	first   *node // began to wait first
	last    *node
	started bool
	ended   bool

	wake chan struct{} // holds one token: a key has begun to wait
}

type node struct {
	key  Key
	next *node
}

var errStarted = errors.New("the source was started already")

// New returns a Source that nobody has started yet.
func New() *Source {
	return &Source{waiting: map[Key]struct{}{}, wake: make(chan struct{}, 1)}
}

// Notify says that something has happened, and that the object with this key is to be looked at.
func (s *Source) Notify(key Key) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ended {
		return
	}
	if _, ok := s.waiting[key]; ok {
		return
	}
	s.waiting[key] = struct{}{}
	n := &node{key: key}
	if s.last == nil {
		s.first = n
	} else {
		s.last.next = n
	}
	s.last = n
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// Start has the keys that wait added to the queue, from now on and until ctx ends. A controller calls it.
func (s *Source) Start(ctx context.Context, queue Queue) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.started {
		return errStarted
	}
	s.started = true
	go s.run(ctx, queue)
	return nil
}

// run makes all Adds.
func (s *Source) run(ctx context.Context, queue Queue) {
	defer s.end()
	for {
		select {
		case <-ctx.Done():
			return
		case <-s.wake:
		}
		for {
			key, ok := s.pop()
			if !ok {
				break
			}
			queue.Add(reconcile.Request{NamespacedName: key})
			if ctx.Err() != nil {
				return
			}
		}
	}
}

// pop takes the key that began to wait first.
func (s *Source) pop() (Key, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := s.first
	if n == nil {
		return Key{}, false
	}
	s.first = n.next
	if s.first == nil {
		s.last = nil
	}
	delete(s.waiting, n.key)
	return n.key, true
}

// end drops what waits; from now on Notify does nothing.
func (s *Source) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ended = true
	s.first, s.last, s.waiting = nil, nil, nil
}
