// Package conflict is the write side of a server: optimistic concurrency, and the client that lives with it.
package conflict

import (
	"errors"
	"fmt"
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

// Store makes each write a transaction: a function from what is there to what shall be there.
// Its errors quote what was sent.
type Store struct {
	mu       sync.Mutex
	revision uint64
	objects  map[string]Object
}

// New makes an empty store.
func New() *Store { return &Store{objects: map[string]Object{}} }

// Get returns an object as the last write to it left it, or ErrNotFound.
func (s *Store) Get(name string) (Object, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	o, ok := s.objects[name]
	if !ok {
		return Object{}, ErrNotFound
	}
	return o, nil
}

// Create goes from no object to one.
func (s *Store) Create(name, value string) (Object, error) {
	return s.transact(name, func(now *Object) (*Object, error) {
		if now != nil {
			return nil, fmt.Errorf("create %q with value %q: %w", name, value, ErrExists)
		}
		return &Object{Name: name, Value: value}, nil
	})
}

// Update goes from one object to another, or stays.
func (s *Store) Update(o Object) (Object, error) {
	return s.transact(o.Name, func(now *Object) (*Object, error) {
		if err := fits(now, o.Revision); err != nil {
			return nil, fmt.Errorf("update %q to %q: %w", o.Name, o.Value, err)
		}
		if now.Value == o.Value {
			return now, nil
		}
		return &o, nil
	})
}

// Delete goes from one object to none.
func (s *Store) Delete(name string, revision uint64) (uint64, error) {
	end, err := s.transact(name, func(now *Object) (*Object, error) {
		if err := fits(now, revision); err != nil {
			return nil, fmt.Errorf("delete %q: %w", name, err)
		}
		return nil, nil
	})
	return end.Revision, err
}

// transact puts in the place of the object of a name what decide says, and returns that with its revision. No object is
// nil; the same one is no write.
func (s *Store) transact(name string, decide func(now *Object) (*Object, error)) (Object, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var now *Object
	if o, ok := s.objects[name]; ok {
		now = &o
	}
	then, err := decide(now)
	switch {
	case err != nil:
		return Object{}, err
	case then == now:
		return *now, nil
	}
	s.revision++
	if then == nil {
		delete(s.objects, name)
		return Object{Revision: s.revision}, nil
	}
	then.Revision = s.revision
	s.objects[name] = *then
	return *then, nil
}

// fits says whether a client that knows a revision may write to an object.
func fits(now *Object, revision uint64) error {
	switch {
	case now == nil:
		return ErrNotFound
	case revision != 0 && revision != now.Revision:
		return fmt.Errorf("at revision %d, not at %d: %w", now.Revision, revision, ErrConflict)
	}
	return nil
}

// Server is what a client has of a store.
type Server interface {
	Get(name string) (Object, error)
	Update(o Object) (Object, error)
}

// Change has its read and its write in a function that says whether to go on.
func Change(server Server, name string, change func(value string) string) (Object, error) {
	var result Object
	var err error
	again := func() bool {
		if result, err = server.Get(name); err != nil {
			return false
		}
		result, err = server.Update(Object{name, change(result.Value), result.Revision})
		return errors.Is(err, ErrConflict)
	}
	for again() {
	}
	return result, err
}
