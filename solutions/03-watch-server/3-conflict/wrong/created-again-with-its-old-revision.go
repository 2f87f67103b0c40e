// Breaks: "The first write has revision 1, and each further one the next, whichever object it is made to."
// Caught by: TestThereAndBackIsNotTheSame
// Message: there was no error

//go:build wrong

package conflict

import "sync"

// Create stores a new object.
func (s *Store) Create(name, value string) (Object, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, ok := s.objects[name]; ok {
		return Object{}, ErrExists
	}
	s.revision++
	o := Object{name, value, s.revision}
	if r, ok := s.last[name]; ok {
		o.Revision = r // wrong: it is another object
	}
	s.objects[name] = o
	return o, nil
}

// Delete removes an object.
func (s *Store) Delete(name string, revision uint64) (uint64, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	current, ok := s.objects[name]
	switch {
	case !ok:
		return 0, ErrNotFound
	case revision != 0 && revision != current.Revision:
		return 0, ErrConflict
	}
	s.revision++
	s.last[name] = current.Revision
	delete(s.objects, name)
	return s.revision, nil
}

// New makes an empty store.
func New() *Store { return &Store{objects: map[string]Object{}, last: map[string]uint64{}} }

// Store holds objects.
type Store struct {
	mu       sync.Mutex
	revision uint64
	objects  map[string]Object
	last     map[string]uint64
}
