// Breaks: "Any number of goroutines may call any of the methods at once: each call checks and writes in one step,
// and none of them is made from what another one is about to change."
// Caught by: TestOneWins
// Message: a check made before a write still holds at the write

//go:build wrong

package conflict

import "sync"

// Store holds objects.
type Store struct {
	mu       sync.RWMutex
	revision uint64
	objects  map[string]Object
}

// Get returns an object.
func (s *Store) Get(name string) (Object, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	o, ok := s.objects[name]
	if !ok {
		return Object{}, ErrNotFound
	}
	return o, nil
}

// Update gives an object a value.
func (s *Store) Update(o Object) (Object, error) {
	current, err := s.Get(o.Name)
	switch {
	case err != nil:
		return Object{}, err
	case o.Revision != 0 && o.Revision != current.Revision:
		return Object{}, ErrConflict
	case o.Value == current.Value:
		return current, nil
	}
	s.mu.Lock() // wrong: all who held the read lock have found that they may write
	defer s.mu.Unlock()
	s.revision++
	o.Revision = s.revision
	s.objects[o.Name] = o
	return o, nil
}
