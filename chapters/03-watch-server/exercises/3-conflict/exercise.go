// Package conflict is the write side of a server: optimistic concurrency, and the client that lives with it.
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
	// TODO: store it
	return Object{}, nil
}

// Update gives o.Name the value o.Value. o.Revision is that of the object from which the client
// made o: when it is not the object's present one, the answer is ErrConflict. 0 means that the
// client does not care. Update returns the object as it is then, or ErrNotFound.
func (s *Store) Update(o Object) (Object, error) {
	// TODO: refuse what was made from another revision, and take no revision for what changes nothing
	return o, nil
}

// Delete removes an object under the same condition, and returns the revision of the deletion.
func (s *Store) Delete(name string, revision uint64) (uint64, error) {
	// TODO: remove it, which is a write too
	return 0, nil
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
	// TODO: read, change, write
	return Object{}, nil
}
