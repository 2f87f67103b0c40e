// Misconception: If the content is what the client saw, nothing has happened.
// Caught by: TestThereAndBackIsNotTheSame
// Message: it tells the write, and two writes of the same content are two

//go:build wrong

package conflict

import "sync"

// Store holds objects.
type Store struct {
	mu       sync.Mutex
	revision uint64
	objects  map[string]Object
	seen     map[uint64]string // what each revision was
}

// New makes an empty store.
func New() *Store { return &Store{objects: map[string]Object{}, seen: map[uint64]string{}} }

// Create stores a new object.
func (s *Store) Create(name, value string) (Object, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, ok := s.objects[name]; ok {
		return Object{}, ErrExists
	}
	s.revision++
	o := Object{name, value, s.revision}
	s.seen[s.revision] = name + "=" + value
	s.objects[name] = o
	return o, nil
}

// Update gives an object a value.
func (s *Store) Update(o Object) (Object, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	current, ok := s.objects[o.Name]
	switch {
	case !ok:
		return Object{}, ErrNotFound
	case o.Revision != 0 && o.Revision != current.Revision &&
		(s.seen[o.Revision] != o.Name+"="+current.Value || o.Value == current.Value):
		return Object{}, ErrConflict
	case o.Value == current.Value:
		return current, nil
	}
	s.revision++
	o.Revision = s.revision
	s.seen[s.revision] = o.Name + "=" + o.Value
	s.objects[o.Name] = o
	return o, nil
}
