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

// Store holds objects. It remembers their values.
type Store[T any] struct {
	key, value func(object T) string

	mu     sync.RWMutex // guards what follows
	items  map[string]T // by key
	values map[string]string
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
}

// Delete removes an object.
func (s *Store[T]) Delete(key string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.items, key)
	delete(s.values, key)
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
}

// ByValue looks at the values.
func (s *Store[T]) ByValue(value string) []T {
	s.mu.RLock()
	defer s.mu.RUnlock()
	var objects []T
	for key, v := range s.values {
		if v == value {
			objects = append(objects, s.items[key])
		}
	}
	return objects
}

// Values looks at them, too.
func (s *Store[T]) Values() []string {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return slices.Compact(slices.Sorted(maps.Values(s.values)))
}
