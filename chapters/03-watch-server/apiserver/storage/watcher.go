package storage

// Watcher is one watch. Send Initial first, then what comes out of Events until it is closed.
type Watcher struct {
	// Initial is what the watch begins with: the present state as ADDED events, or the changes
	// since the revision that it resumes from.
	Initial []Event
	// Revision is the store's when the watch began: Initial leads up to it, Events go on after it.
	Revision uint64

	store  *Store
	query  Query
	events chan Event
	closed bool // guarded by the store's lock
}

// Watch begins a watch of what matches. With state, it starts with the objects that exist now, if
// the store has reached the revision after. Without, it starts with the changes after that
// revision, or refuses with an ExpiredError when the window does not reach back that far, and with
// ErrFuture when it has not been written. Initial and Events join without a gap or an overlap,
// because both are decided under one lock.
func (s *Store) Watch(q Query, after uint64, state bool) (*Watcher, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if after > s.revision {
		return nil, ErrFuture
	}
	w := &Watcher{store: s, query: q, Revision: s.revision, events: make(chan Event, s.options.Buffer)}
	if state {
		found := s.matching(q)
		sortObjects(found)
		for _, o := range found {
			w.Initial = append(w.Initial, Event{Type: Added, Object: o, Revision: o.Revision})
		}
	} else {
		changes, err := s.resources[q.Resource].history.since(after)
		if err != nil {
			return nil, err
		}
		for _, c := range changes {
			if event, ok := c.eventFor(q); ok {
				w.Initial = append(w.Initial, event)
			}
		}
	}
	s.watchers.add(w)
	return w, nil
}

// Events gives the changes as they are written. It is closed when the watcher is stopped, and when
// it is evicted; what was queued before can still be read.
func (w *Watcher) Events() <-chan Event { return w.events }

// Bookmark queues a BOOKMARK with the store's present revision. As it goes through the same queue
// as the changes, it comes after every one that it speaks for. A full queue needs none: what it
// holds carries revisions itself.
func (w *Watcher) Bookmark() {
	w.store.mu.Lock()
	defer w.store.mu.Unlock()
	if !w.closed {
		w.offer(Event{Type: Bookmark, Revision: w.store.revision})
	}
}

// Stop ends the watch. It may be called more than once.
func (w *Watcher) Stop() {
	w.store.mu.Lock()
	defer w.store.mu.Unlock()
	w.close()
}

// offer queues an event if there is room. The store's lock is held, so there is one sender.
func (w *Watcher) offer(e Event) bool {
	select {
	case w.events <- e:
		return true
	default:
		return false
	}
}

func (w *Watcher) close() {
	if !w.closed {
		w.closed = true
		w.store.watchers.remove(w)
		close(w.events)
	}
}

// Watchers is the number of watches in progress.
func (s *Store) Watchers() int {
	s.mu.RLock()
	defer s.mu.RUnlock()
	n := 0
	for _, shelf := range s.watchers {
		n += len(shelf)
	}
	return n
}

// Revision is that of the last write.
func (s *Store) Revision() uint64 {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.revision
}
