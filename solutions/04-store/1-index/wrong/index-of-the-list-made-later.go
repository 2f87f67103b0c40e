// Breaks: "What a ByValue costs, also the first after a write, does not grow with the number of objects that have
// other values."
// Caught by: TestByValueLooksAtNoOthers
// Message: after a Replace, ByValue of a value
// Removes: Store.put

//go:build wrong

package index

import (
	"maps"
	"slices"
	"sync"
)

// Store holds objects. What a Replace brings is indexed when somebody asks.
type Store[T any] struct {
	key, value func(object T) string

	mu     sync.RWMutex // guards what follows
	items  map[string]T // by key
	values map[string]string
	index  map[string]map[string]struct{} // or nil
}

// New makes an empty store.
func New[T any](key, value func(object T) string) *Store[T] {
	s := &Store[T]{key: key, value: value, items: map[string]T{}}
	s.values = map[string]string{}
	return s
}

// Put stores an object.
func (s *Store[T]) Put(object T) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.made()
	s.store(s.key(object), s.value(object), object)
}

// Delete removes an object.
func (s *Store[T]) Delete(key string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.made()
	s.remove(key)
}

// Replace exchanges the objects.
func (s *Store[T]) Replace(objects []T) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.items, s.values, s.index = map[string]T{}, map[string]string{}, nil
	for _, object := range objects {
		key := s.key(object)
		s.items[key], s.values[key] = object, s.value(object)
	}
}

// made makes the index, if it is not there.
func (s *Store[T]) made() map[string]map[string]struct{} {
	if s.index == nil {
		s.index = map[string]map[string]struct{}{}
		for key, value := range s.values {
			s.add(key, value)
		}
	}
	return s.index
}

func (s *Store[T]) add(key, value string) {
	if s.index[value] == nil {
		s.index[value] = map[string]struct{}{}
	}
	s.index[value][key] = struct{}{}
}

// store stores an object.
func (s *Store[T]) store(key, value string, object T) {
	s.remove(key)
	s.items[key], s.values[key] = object, value
	s.add(key, value)
}

func (s *Store[T]) remove(key string) {
	value, ok := s.values[key]
	if !ok {
		return
	}
	delete(s.items, key)
	delete(s.values, key)
	delete(s.index[value], key)
	if len(s.index[value]) == 0 {
		delete(s.index, value)
	}
}

// ByValue returns the objects of a set.
func (s *Store[T]) ByValue(value string) []T {
	s.mu.Lock()
	defer s.mu.Unlock()
	var objects []T
	for key := range s.made()[value] {
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
