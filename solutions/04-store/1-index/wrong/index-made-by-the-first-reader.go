// Breaks: "What a ByValue costs, also the first after a write, does not grow with the number of objects that have
// other values."
// Caught by: TestByValueLooksAtNoOthers
// Message: after a Put, ByValue of a value that one object has takes as long among 800 values
// Removes: Store.put, Store.remove

//go:build wrong

package index

import (
	"maps"
	"slices"
	"sync"
)

// Store holds objects. The first who reads after a write makes the index.
type Store[T any] struct {
	key, value func(object T) string

	mu     sync.RWMutex // guards what follows
	items  map[string]T // by key
	values map[string]string
	index  map[string][]string // or nil
}

// New makes an empty store.
func New[T any](key, value func(object T) string) *Store[T] {
	s := &Store[T]{key: key, value: value, items: map[string]T{}}
	s.values = map[string]string{}
	return s
}

// Put stores an object.
func (s *Store[T]) Put(object T) {
	key, value := s.key(object), s.value(object)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.items[key], s.values[key] = object, value
	s.index = nil
}

// Delete removes an object.
func (s *Store[T]) Delete(key string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.items, key)
	delete(s.values, key)
	s.index = nil
}

// Replace exchanges the objects.
func (s *Store[T]) Replace(objects []T) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.items, s.values = map[string]T{}, map[string]string{}
	for _, object := range objects {
		key := s.key(object)
		s.items[key], s.values[key] = object, s.value(object)
	}
	s.index = nil
}

func (s *Store[T]) made() map[string][]string {
	if s.index == nil {
		s.index = map[string][]string{}
		for key, value := range s.values {
			s.index[value] = append(s.index[value], key)
		}
	}
	return s.index
}

// ByValue returns the objects of a set.
func (s *Store[T]) ByValue(value string) []T {
	s.mu.Lock()
	defer s.mu.Unlock()
	var objects []T
	for _, key := range s.made()[value] {
		objects = append(objects, s.items[key])
	}
	return objects
}

// Values returns the values of the sets.
func (s *Store[T]) Values() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Collect(maps.Keys(s.made()))
}
