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

// Store holds objects. Its revision counts writes.
//
//   - The first write has revision 1, and each further one the next, whichever object it is made to.
//   - A deletion is a write too. What is refused, or changes nothing, is no write.
//   - What is refused leaves everything as it is.
//   - A name and a value are any text, which may be empty.
//   - Any number of goroutines may call any of the methods at once: each call checks and writes in one
//     step, and none of them is made from what another one is about to change.
//   - Stores share nothing with each other.
//
// Errors may be wrapped: errors.Is tells which one it is. What is returned beside an error does not count.
// The fields, New and Get may be changed: who uses the package sees what is exported.
// Nobody closes a store: a goroutine that New starts would be left behind, and is a leak.
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

// Create stores a new object and returns it with its revision. When there is an object of that name,
// Create returns ErrExists.
func (s *Store) Create(name, value string) (Object, error) {
	//solution:begin
	//todo: store it
	//stub: return Object{}, nil
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, ok := s.objects[name]; ok {
		return Object{}, ErrExists
	}
	s.revision++
	o := Object{name, value, s.revision}
	s.objects[name] = o
	return o, nil
	//solution:end
}

// Update gives o.Name the value o.Value. o.Revision is that of the object from which the client made
// o, or 0, which means that the client does not care.
//
//   - Update returns the object as it is then.
//   - When there is no object of that name, Update returns ErrNotFound, whatever o.Revision is.
//   - When o.Revision is neither 0 nor the object's present revision, Update returns ErrConflict,
//     whatever o.Value is.
//   - When o.Revision is 0, Update is made from whatever is there.
//   - An Update to the value that the object has changes nothing: the object keeps its revision.
func (s *Store) Update(o Object) (Object, error) {
	//solution:begin
	//todo: refuse what was made from another revision, and take no revision for what changes nothing
	//stub: return o, nil
	s.mu.Lock()
	defer s.mu.Unlock()
	current, ok := s.objects[o.Name]
	switch {
	case !ok:
		return Object{}, ErrNotFound
	case o.Revision != 0 && o.Revision != current.Revision:
		return Object{}, ErrConflict
	case o.Value == current.Value:
		return current, nil
	}
	s.revision++
	o.Revision = s.revision
	s.objects[o.Name] = o
	return o, nil
	//solution:end
}

// Delete removes an object. revision is that of the object as the client knows it, or 0, which means
// that the client does not care.
//
//   - Delete returns the revision of the deletion.
//   - When there is no object of that name, Delete returns ErrNotFound, whatever revision is.
//   - When revision is neither 0 nor the object's present revision, Delete returns ErrConflict.
func (s *Store) Delete(name string, revision uint64) (uint64, error) {
	//solution:begin
	//todo: remove it, which is a write too
	//stub: return 0, nil
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
	//solution:end
}

// Server is what a client has of a store.
type Server interface {
	Get(name string) (Object, error)
	Update(o Object) (Object, error)
}

// Change is the client: it reads an object, lets change make a new value of the old one, and writes
// that, so that no other client's write gets lost.
//
//   - Change writes, under that name, what change has made of the value that it read last, with the
//     revision that it read with it. It does so also when that is the same value.
//   - When Update returns ErrConflict, Change begins again by reading, as often as it takes.
//   - Change returns any error of Get, and any other one of Update, and then tries no more.
//   - change is called once for each object that was read, and not when there was none.
//   - When Update succeeds, Change returns the object as Update returned it.
func Change(server Server, name string, change func(value string) string) (Object, error) {
	//solution:begin
	//todo: read, change, write
	//stub: return Object{}, nil
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
	//solution:end
}
