package store

import "fmt"

// Add puts an object under its key, also if there is one already. An error says that the object has no key, could not
// be transformed, or that an index function failed on it; nothing has changed then.
//
// Upstream: cache.Store.Add. Where an index function fails, upstream panics, with the object in the store and part of
// the indexes updated.
func (s *Store) Add(object any) error { return s.put(object) }

// Update is [Store.Add].
//
// Upstream: cache.Store.Update.
func (s *Store) Update(object any) error { return s.put(object) }

// Delete takes away what is under the object's key, if anything is. The object is that of the deletion: its
// resourceVersion becomes the store's. What has none, such as a cache.DeletedFinalStateUnknown, leaves it as it was.
//
// Upstream: cache.Store.Delete.
func (s *Store) Delete(object any) error {
	key, err := s.key(object)
	if err != nil {
		return err
	}
	return s.write(change{key: key, object: object, deleted: true})
}

// Resync does nothing: a store has nobody to tell.
//
// Upstream: cache.Store.Resync.
func (s *Store) Resync() error { return nil }

func (s *Store) put(object any) error {
	c, err := s.arrival(object)
	if err != nil {
		return err
	}
	return s.write(c)
}

// arrival is the change that puts an object into the store: its key, and what the store keeps of it.
func (s *Store) arrival(object any) (change, error) {
	key, err := s.key(object)
	if err != nil {
		return change{}, err
	}
	if s.transform == nil {
		return change{key: key, object: object}, nil
	}
	kept, err := s.transform(object)
	if err != nil {
		return change{}, fmt.Errorf("store: transforming object %q: %w", key, err)
	}
	return change{key: key, object: kept}, nil
}

// write makes one change.
func (s *Store) write(c change) error {
	s.writing.Lock()
	defer s.writing.Unlock()
	moves, err := s.plan(s.scratch[:0], s.items[c.key], c)
	if err != nil {
		return err
	}
	s.carryOut([]change{c}, moves)
	s.reuse(moves)
	return nil
}

// reuse keeps the space of moves for the next write, and nothing that they point to: after a Replace that would be the
// old indexes, whole.
func (s *Store) reuse(moves []move) {
	clear(moves)
	s.scratch = moves[:0]
}
