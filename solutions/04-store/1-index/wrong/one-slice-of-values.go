// Breaks: "A slice that a read returns is the caller's, who may change it. No other call notices that, and no later
// call changes it."
// Caught by: TestSlicesOfReads
// Message: a slice that Values returned

//go:build wrong

package index

import (
	"slices"
	"sync"
)

// Store holds objects. It keeps their values in order.
type Store[T any] struct {
	key, value func(object T) string

	mu     sync.RWMutex // guards what follows
	items  map[string]T // by key
	index  map[string]map[string]struct{}
	values []string // those of the index, sorted
}

// Replace exchanges all objects.
func (s *Store[T]) Replace(objects []T) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.items = map[string]T{}
	s.index, s.values = map[string]map[string]struct{}{}, nil
	for _, object := range objects {
		s.put(object)
	}
}

// Values returns the values.
func (s *Store[T]) Values() []string {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.values
}

func (s *Store[T]) put(object T) {
	key, value := s.key(object), s.value(object)
	s.remove(key)
	s.items[key] = object
	if s.index[value] == nil {
		s.index[value] = map[string]struct{}{}
		at, _ := slices.BinarySearch(s.values, value)
		s.values = slices.Insert(s.values, at, value)
	}
	s.index[value][key] = struct{}{}
}

func (s *Store[T]) remove(key string) {
	old, ok := s.items[key]
	if !ok {
		return
	}
	delete(s.items, key)
	value := s.value(old)
	delete(s.index[value], key)
	if len(s.index[value]) == 0 {
		delete(s.index, value)
		if at, ok := slices.BinarySearch(s.values, value); ok {
			s.values = slices.Delete(s.values, at, at+1)
		}
	}
}
