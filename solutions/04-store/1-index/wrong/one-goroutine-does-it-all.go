// Misconception: Whoever uses a store also ends it.
// Caught by: TestPut
// Message: the belief that whoever uses a store also ends it

//go:build wrong

package index

import (
	"maps"
	"slices"
)

// Store holds objects. One goroutine uses them, for all others.
type Store[T any] struct {
	key, value func(object T) string

	do    chan func()
	items map[string]T
	index map[string]map[string]struct{}
}

// New makes an empty store.
func New[T any](key, value func(object T) string) *Store[T] {
	s := &Store[T]{key: key, value: value, items: map[string]T{}, do: make(chan func())}
	s.index = map[string]map[string]struct{}{}
	go func() {
		for f := range s.do { // wrong: who closes it?
			f()
		}
	}()
	return s
}

// wait has the goroutine do something.
func (s *Store[T]) wait(f func()) {
	done := make(chan struct{})
	s.do <- func() { f(); close(done) }
	<-done
}

// Get returns the object with a key.
func (s *Store[T]) Get(key string) (object T, ok bool) {
	s.wait(func() { object, ok = s.items[key] })
	return object, ok
}

// List returns all objects.
func (s *Store[T]) List() (list []T) {
	s.wait(func() { list = slices.Collect(maps.Values(s.items)) })
	return list
}

// Put stores an object.
func (s *Store[T]) Put(object T) { s.wait(func() { s.put(object) }) }

// Delete removes an object.
func (s *Store[T]) Delete(key string) { s.wait(func() { s.remove(key) }) }

// Replace exchanges all objects.
func (s *Store[T]) Replace(objects []T) {
	s.wait(func() {
		s.items = map[string]T{}
		s.index = map[string]map[string]struct{}{}
		for _, object := range objects {
			s.put(object)
		}
	})
}

// ByValue returns the objects of a set.
func (s *Store[T]) ByValue(value string) (list []T) {
	s.wait(func() {
		for key := range s.index[value] {
			list = append(list, s.items[key])
		}
	})
	return list
}

// Values returns the values of the sets.
func (s *Store[T]) Values() (values []string) {
	s.wait(func() { values = slices.Collect(maps.Keys(s.index)) })
	return values
}
