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
	o, err := s.commit(name, func(old *Object) (*Object, error) {
		if old != nil {
			return nil, ErrExists
		}
		return &Object{Name: name, Value: value}, nil
	})
	if err != nil {
		return Object{}, err
	}
	return *o, nil
}

// Update gives o.Name the value o.Value.
func (s *Store) Update(o Object) (Object, error) {
	now, err := s.commit(o.Name, func(old *Object) (*Object, error) {
		if err := check(old, o.Revision); err != nil {
			return nil, err
		}
		if old.Value == o.Value {
			return old, nil
		}
		return &Object{Name: o.Name, Value: o.Value}, nil
	})
	if err != nil {
		return Object{}, err
	}
	return *now, nil
}

// Delete removes an object under the same condition, and returns the revision of the deletion.
func (s *Store) Delete(name string, revision uint64) (uint64, error) {
	at := uint64(0)
	_, err := s.commit(name, func(old *Object) (*Object, error) {
		at = s.revision + 1
		return nil, check(old, revision)
	})
	if err != nil {
		return 0, err
	}
	return at, nil
}

func check(old *Object, revision uint64) error {
	if old == nil {
		return ErrNotFound
	}
	if revision != 0 && revision != old.Revision {
		return ErrConflict
	}
	return nil
}

// commit decides and writes in one critical section. A decision that returns the old object writes nothing.
func (s *Store) commit(name string, decide func(old *Object) (*Object, error)) (*Object, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var old *Object
	if o, ok := s.objects[name]; ok {
		old = &o
	}
	next, err := decide(old)
	if err != nil || next == old {
		return next, err
	}
	s.revision++
	if next == nil {
		delete(s.objects, name)
		return nil, nil
	}
	next.Revision = s.revision
	s.objects[name] = *next
	return next, nil
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
	o, err := server.Get(name)
	if err != nil {
		return Object{}, err
	}
	o.Value = change(o.Value)
	now, err := server.Update(o)
	if errors.Is(err, ErrConflict) {
		return Change(server, name, change)
	}
	return now, err
}
