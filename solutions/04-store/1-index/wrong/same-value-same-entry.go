// Misconception: When the value is the same, the index is right already.
// Caught by: TestTheSameValue
// Message: the belief that nothing changes when the value does not

//go:build wrong

package index

import (
	"maps"
	"slices"
	"sync"
)

// Store holds objects. The index holds them, too.
type Store[T any] struct {
	key, value func(object T) string

	mu    sync.RWMutex // guards what follows
	items map[string]T // by key
	index map[string]map[string]T
}

// New makes an empty store.
func New[T any](key, value func(object T) string) *Store[T] {
	s := &Store[T]{key: key, value: value, items: map[string]T{}}
	s.index = map[string]map[string]T{}
	return s
}

// Replace exchanges all objects.
func (s *Store[T]) Replace(objects []T) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.items = map[string]T{}
	s.index = map[string]map[string]T{}
	for _, object := range objects {
		s.put(object)
	}
}

// ByValue returns the objects of a set.
func (s *Store[T]) ByValue(value string) []T {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return slices.Collect(maps.Values(s.index[value]))
}

func (s *Store[T]) put(object T) {
	key, value := s.key(object), s.value(object)
	if old, ok := s.items[key]; ok && s.value(old) == value {
		s.items[key] = object
		return // wrong: the index still has the old one
	}
	s.remove(key)
	s.items[key] = object
	if s.index[value] == nil {
		s.index[value] = map[string]T{}
	}
	s.index[value][key] = object
}
