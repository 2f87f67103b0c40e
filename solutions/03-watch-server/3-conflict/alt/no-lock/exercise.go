// Package conflict is the write side of a server: optimistic concurrency, and the client that lives with it.
package conflict

import (
	"errors"
	"maps"
	"sync/atomic"
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

// state is all that a store holds at one revision. It is never changed, only replaced.
type state struct {
	revision uint64
	objects  map[string]Object
}

// Store has no lock: a write makes a new state of the present one, and puts it in its place if that is still there. It
// lives with its own goroutines as its clients live with it.
type Store struct {
	present atomic.Pointer[state]
}

// New makes an empty store.
func New() *Store {
	s := &Store{}
	s.present.Store(&state{})
	return s
}

// Get looks at the present state.
func (s *Store) Get(name string) (Object, error) {
	o, ok := s.present.Load().objects[name]
	if !ok {
		return Object{}, ErrNotFound
	}
	return o, nil
}

// Create stores a new object and returns it with its revision, or ErrExists.
func (s *Store) Create(name, value string) (Object, error) {
	for {
		old := s.present.Load()
		if _, ok := old.objects[name]; ok {
			return Object{}, ErrExists
		}
		if o, ok := s.replace(old, Object{Name: name, Value: value}); ok {
			return o, nil
		}
	}
}

// Update gives o.Name the value o.Value.
func (s *Store) Update(o Object) (Object, error) {
	for {
		old := s.present.Load()
		current, err := old.check(o.Name, o.Revision)
		if err != nil || current.Value == o.Value {
			return current, err
		}
		if now, ok := s.replace(old, o); ok {
			return now, nil
		}
	}
}

// Delete removes an object, and returns the revision of the deletion.
func (s *Store) Delete(name string, revision uint64) (uint64, error) {
	for {
		old := s.present.Load()
		if _, err := old.check(name, revision); err != nil {
			return 0, err
		}
		next := &state{old.revision + 1, maps.Clone(old.objects)}
		delete(next.objects, name)
		if s.present.CompareAndSwap(old, next) {
			return next.revision, nil
		}
	}
}

// check returns the object that a write is made to, if the write may be made.
func (s *state) check(name string, revision uint64) (Object, error) {
	o, ok := s.objects[name]
	switch {
	case !ok:
		return Object{}, ErrNotFound
	case revision != 0 && revision != o.Revision:
		return Object{}, ErrConflict
	}
	return o, nil
}

// replace puts a state with the object in the place of an old one. It reports false if another write came before.
func (s *Store) replace(old *state, o Object) (Object, bool) {
	o.Revision = old.revision + 1
	objects := make(map[string]Object, len(old.objects)+1)
	maps.Copy(objects, old.objects)
	objects[o.Name] = o
	return o, s.present.CompareAndSwap(old, &state{o.Revision, objects})
}

// Server is what a client has of a store.
type Server interface {
	Get(name string) (Object, error)
	Update(o Object) (Object, error)
}

// Change is the client: it reads, changes and writes, until no other client comes in between.
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
