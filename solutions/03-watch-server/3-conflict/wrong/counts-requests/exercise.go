// Misconception: A revision counts requests.
// Caught by: TestRefusalIsNoWrite
// Message: a revision counts requests

package conflict

import (
	"errors"
	"sync"
)

// What a write can be refused with.
var (
	ErrExists   = errors.New("already exists")
	ErrNotFound = errors.New("not found")
	ErrConflict = errors.New("the object has been modified")
)

// Object is what a client gets: a value, and the revision of the write that made it.
type Object struct {
	Name, Value string
	Revision    uint64
}

// Store holds objects. Its revision counts writes: to all objects, deletions too. What is refused,
// or changes nothing, is no write. The first write has revision 1. Methods may be called at once.
type Store struct {
	mu       sync.Mutex
	revision uint64
	objects  map[string]Object
}

// New makes an empty store.
func New() *Store { return &Store{objects: map[string]Object{}} }

// Get returns an object, or ErrNotFound.
func (s *Store) Get(name string) (Object, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	o, ok := s.objects[name]
	if !ok {
		return Object{}, ErrNotFound
	}
	return o, nil
}

// Create stores a new object and returns it with its revision, or ErrExists.
func (s *Store) Create(name, value string) (Object, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, ok := s.objects[name]; ok {
		return Object{}, ErrExists
	}
	s.revision++
	o := Object{name, value, s.revision}
	s.objects[name] = o
	return o, nil
}

// Update gives o.Name the value o.Value. o.Revision is that of the object from which the client
// made o: when it is not the object's present one, the answer is ErrConflict. 0 means that the
// client does not care. Update returns the object as it is then, or ErrNotFound.
func (s *Store) Update(o Object) (Object, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.revision++
	current, ok := s.objects[o.Name]
	switch {
	case !ok:
		return Object{}, ErrNotFound
	case o.Revision != 0 && o.Revision != current.Revision:
		return Object{}, ErrConflict
	case o.Value == current.Value:
		s.revision--
		return current, nil
	}
	o.Revision = s.revision
	s.objects[o.Name] = o
	return o, nil
}

// Delete removes an object under the same condition, and returns the revision of the deletion.
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
	delete(s.objects, name)
	return s.revision, nil
}

// Server is what a client has of a store.
type Server interface {
	Get(name string) (Object, error)
	Update(o Object) (Object, error)
}

// Change is the client: it reads an object, lets change make a new value of the old one, and writes
// that, so that no other client's write gets lost. It returns the object as it is then. Errors that
// trying again can't heal, it returns.
func Change(server Server, name string, change func(value string) string) (Object, error) {
	for {
		o, err := server.Get(name)
		if err != nil {
			return Object{}, err
		}
		o.Value = change(o.Value)
		if o, err = server.Update(o); !errors.Is(err, ErrConflict) {
			return o, err
		}
	}
}
