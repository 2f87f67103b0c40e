// Misconception: A slice that the store never changes can be handed out.
// Caught by: TestSlicesOfReads
// Message: the belief that what is handed out is only read

//go:build wrong

package index

import (
	"slices"
	"sync"
)

// Store holds objects. Each write makes another slice for the index.
type Store[T any] struct {
	key, value func(object T) string

	mu    sync.RWMutex // guards what follows
	items map[string]T // by key
	index map[string][]T
}

// New makes an empty store.
func New[T any](key, value func(object T) string) *Store[T] {
	s := &Store[T]{key: key, value: value, items: map[string]T{}}
	s.index = map[string][]T{}
	return s
}

// Replace exchanges all objects.
func (s *Store[T]) Replace(objects []T) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.items = map[string]T{}
	s.index = map[string][]T{}
	for _, object := range objects {
		s.put(object)
	}
}

// ByValue returns the objects of a value.
func (s *Store[T]) ByValue(value string) []T {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.index[value] // wrong: others get it too
}

func (s *Store[T]) put(object T) {
	key, value := s.key(object), s.value(object)
	s.remove(key)
	s.items[key] = object
	s.index[value] = append(slices.Clone(s.index[value]), object)
}

func (s *Store[T]) remove(key string) {
	old, ok := s.items[key]
	if !ok {
		return
	}
	delete(s.items, key)
	value := s.value(old)
	others := slices.DeleteFunc(slices.Clone(s.index[value]), func(object T) bool { return s.key(object) == key })
	s.index[value] = others
	if len(s.index[value]) == 0 {
		delete(s.index, value)
	}
}
