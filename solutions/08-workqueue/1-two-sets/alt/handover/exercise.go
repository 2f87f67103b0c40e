// Package twosets is a queue of keys.
package twosets

// Queue has no lock: who has the state may look at it. Nobody waits who has it, since each Get that finds nothing
// leaves a channel behind, and what comes is handed over.
type Queue[T comparable] struct {
	state  chan state[T]
	closed chan struct{}
	forced chan struct{}
}

type state[T comparable] struct {
	line    []T
	getting []chan T       // closed for the end
	added   map[T]struct{} // since they were handed out, or first
	working map[T]struct{}
	drained chan struct{} // closed when there is nothing left, if somebody waits for that
}

// New returns a queue without items.
func New[T comparable]() *Queue[T] {
	q := &Queue[T]{state: make(chan state[T], 1), closed: make(chan struct{}), forced: make(chan struct{})}
	q.state <- state[T]{added: map[T]struct{}{}, working: map[T]struct{}{}}
	return q
}

// Add says that an item has to be processed.
func (q *Queue[T]) Add(item T) {
	s := <-q.state
	if _, there := s.added[item]; !there && !done(q.closed) {
		s.added[item] = struct{}{}
		if _, at := s.working[item]; !at {
			s.give(item)
		}
	}
	q.state <- s
}

// give hands an item to who has waited longest, or puts it into the line.
func (s *state[T]) give(item T) {
	if len(s.getting) == 0 {
		s.line = append(s.line, item)
		return
	}
	s.take(item)
	s.getting[0] <- item
	s.getting = s.getting[1:]
}

func (s *state[T]) take(item T) {
	delete(s.added, item)
	s.working[item] = struct{}{}
}

// Len counts.
func (q *Queue[T]) Len() int {
	s := <-q.state
	defer func() { q.state <- s }()
	return len(s.line)
}

// Get takes the first item, or waits until one is handed over.
func (q *Queue[T]) Get() (item T, shutdown bool) {
	s := <-q.state
	switch {
	case len(s.line) > 0:
		item, s.line = s.line[0], s.line[1:]
		s.take(item)
		q.state <- s
		return item, false
	case done(q.closed):
		q.state <- s
		return item, true
	}
	mine := make(chan T, 1)
	s.getting = append(s.getting, mine)
	q.state <- s
	item, ok := <-mine
	return item, !ok
}

// Done says that an item was processed.
func (q *Queue[T]) Done(item T) {
	s := <-q.state
	delete(s.working, item)
	if _, again := s.added[item]; again {
		s.give(item)
	}
	if s.empty() && s.drained != nil {
		close(s.drained)
	}
	q.state <- s
}

func (s *state[T]) empty() bool { return len(s.added)+len(s.working) == 0 }

// ShutDown lets nobody wait.
func (q *Queue[T]) ShutDown() {
	s := q.close()
	close(q.forced)
	q.state <- s
}

// close returns the state.
func (q *Queue[T]) close() state[T] {
	s := <-q.state
	if !done(q.closed) {
		close(q.closed)
	}
	for _, get := range s.getting {
		close(get)
	}
	s.getting = nil
	return s
}

// ShutDownWithDrain waits for the last Done.
func (q *Queue[T]) ShutDownWithDrain() {
	s := q.close()
	if s.empty() {
		q.state <- s
		return
	}
	drained := make(chan struct{})
	s.drained = drained
	q.state <- s
	select {
	case <-drained:
	case <-q.forced:
	}
}

// ShuttingDown says whether the end has begun.
func (q *Queue[T]) ShuttingDown() bool { return done(q.closed) }

func done(c chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}
