// Breaks: "What a ByValue costs, also the first after a write, does not grow with the number of objects that have
// other values."
// Caught by: TestByValueLooksAtNoOthers
// Message: after a Put, ByValue of a value that one object has takes as long among 800 values

//go:build wrong

package index

import (
	"slices"
	"sync"
)

// Store holds objects. The index is a row of sets.
type Store[T any] struct {
	key, value func(object T) string

	mu    sync.RWMutex // guards what follows
	items map[string]T // by key
	index []*set
}

// New makes an empty store.
func New[T any](key, value func(object T) string) *Store[T] {
	s := &Store[T]{key: key, value: value, items: map[string]T{}}
	return s
}

type set struct {
	value string
	keys  map[string]bool
}

// Replace exchanges the objects.
func (s *Store[T]) Replace(objects []T) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.items, s.index = map[string]T{}, nil
	for _, object := range objects {
		s.put(object)
	}
}

// of finds a set.
func (s *Store[T]) of(value string) *set {
	for _, set := range s.index {
		if set.value == value {
			return set
		}
	}
	return nil
}

// ByValue returns the objects of a set.
func (s *Store[T]) ByValue(value string) []T {
	s.mu.RLock()
	defer s.mu.RUnlock()
	var objects []T
	if set := s.of(value); set != nil {
		for key := range set.keys {
			objects = append(objects, s.items[key])
		}
	}
	return objects
}

// Values returns the values of the sets.
func (s *Store[T]) Values() []string {
	s.mu.RLock()
	defer s.mu.RUnlock()
	var values []string
	for _, set := range s.index {
		values = append(values, set.value)
	}
	return values
}

func (s *Store[T]) put(object T) {
	key, value := s.key(object), s.value(object)
	s.remove(key)
	s.items[key] = object
	if s.of(value) == nil {
		s.index = append(s.index, &set{value, map[string]bool{}})
	}
	s.of(value).keys[key] = true
}

func (s *Store[T]) remove(key string) {
	old, ok := s.items[key]
	if !ok {
		return
	}
	delete(s.items, key)
	from := s.of(s.value(old))
	delete(from.keys, key)
	if len(from.keys) == 0 {
		s.index = slices.DeleteFunc(s.index, func(other *set) bool { return other == from })
	}
}
