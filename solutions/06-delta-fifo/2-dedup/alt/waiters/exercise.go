// Package dedup is another right solution of exercise 06.2: the state is in a channel with room for one, and whoever
// takes it out has the lock. Each Pop that waits has a channel of its own.
package dedup

import "k8s.io/client-go/tools/cache"

type state struct {
	first, last *place // of a list of keys
	places      map[string]*place
	waiters     []chan struct{}
	closed      bool
}

type place struct {
	key    string
	deltas cache.Deltas
	next   *place
}

// Queue is the one of the assignment.
type Queue struct {
	key   cache.KeyFunc
	state chan *state
}

// New returns an empty queue.
func New(key cache.KeyFunc) *Queue {
	q := &Queue{key: key, state: make(chan *state, 1)}
	q.state <- &state{places: map[string]*place{}}
	return q
}

// Add queues an Added.
func (q *Queue) Add(object any) error { return q.queue(cache.Added, object) }

// Update queues an Updated.
func (q *Queue) Update(object any) error { return q.queue(cache.Updated, object) }

// Delete queues a Deleted.
func (q *Queue) Delete(object any) error { return q.queue(cache.Deleted, object) }

// Sync queues a Sync.
func (q *Queue) Sync(object any) error { return q.queue(cache.Sync, object) }

func (q *Queue) queue(kind cache.DeltaType, object any) error {
	key, err := cache.DeletionHandlingMetaNamespaceKeyFunc, error(nil)
	if _, tombstone := object.(cache.DeletedFinalStateUnknown); !tombstone {
		key = q.key
	}
	k, err := key(object)
	if err != nil {
		return err
	}
	s := <-q.state
	defer func() { q.state <- s }()
	p, waits := s.places[k]
	if !waits {
		p = s.place(k)
		s.wake(1)
	} else if kind == cache.Sync {
		return nil
	}
	p.deltas = merged(append(p.deltas, cache.Delta{Type: kind, Object: object}))
	return nil
}

// merged has the older one of two deletions take the place of both, unless it is a tombstone.
func merged(deltas cache.Deltas) cache.Deltas {
	n := len(deltas)
	if n < 2 || deltas[n-1].Type != cache.Deleted || deltas[n-2].Type != cache.Deleted {
		return deltas
	}
	if _, tombstone := deltas[n-2].Object.(cache.DeletedFinalStateUnknown); tombstone {
		deltas[n-2] = deltas[n-1]
	}
	return deltas[:n-1]
}

// Pop waits in a line of its own.
func (q *Queue) Pop(process func(deltas cache.Deltas) error) error {
	for {
		s := <-q.state
		if p := s.first; p != nil {
			defer func() { q.state <- s }()
			s.first = p.next
			delete(s.places, p.key)
			return process(p.deltas)
		}
		if s.closed {
			q.state <- s
			return cache.ErrFIFOClosed
		}
		woken := make(chan struct{})
		s.waiters = append(s.waiters, woken)
		q.state <- s
		<-woken
	}
}

// Close wakes all who wait.
func (q *Queue) Close() {
	s := <-q.state
	s.closed = true
	s.wake(len(s.waiters))
	q.state <- s
}

// place makes the last one.
func (s *state) place(key string) *place {
	p := &place{key: key}
	if s.first == nil {
		s.first = p
	} else {
		s.last.next = p
	}
	s.last = p
	s.places[key] = p
	return p
}

// wake wakes the first n of those who wait.
func (s *state) wake(n int) {
	n = min(n, len(s.waiters))
	for _, w := range s.waiters[:n] {
		close(w)
	}
	s.waiters = s.waiters[n:]
}
