// Misconception: An object is in the index once, because it is itself.
// Caught by: TestTheSameValue
// Message: the belief that the new object takes the place of the old one by itself

//go:build wrong

package index

import "sync"

// Store holds objects. The index is a set of them for each value.
type Store[T any] struct {
	key, value func(object T) string

	mu    sync.RWMutex // guards what follows
	items map[string]T // by key
	index map[string]map[any]bool
}

// New makes an empty store.
func New[T any](key, value func(object T) string) *Store[T] {
	s := &Store[T]{key: key, value: value, items: map[string]T{}}
	s.index = map[string]map[any]bool{}
	return s
}

// Replace exchanges all objects.
func (s *Store[T]) Replace(objects []T) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.items = map[string]T{}
	s.index = map[string]map[any]bool{}
	for _, object := range objects {
		s.put(object)
	}
}

// ByValue returns the objects of a set.
func (s *Store[T]) ByValue(value string) []T {
	s.mu.RLock()
	defer s.mu.RUnlock()
	var objects []T
	for object := range s.index[value] {
		objects = append(objects, object.(T))
	}
	return objects
}

func (s *Store[T]) put(object T) {
	key, value := s.key(object), s.value(object)
	if old, ok := s.items[key]; ok && s.value(old) != value {
		s.remove(key)
	}
	s.items[key] = object
	if s.index[value] == nil {
		s.index[value] = map[any]bool{}
	}
	s.index[value][object] = true // wrong: another object with that key may be there
}

func (s *Store[T]) remove(key string) {
	old, ok := s.items[key]
	if !ok {
		return
	}
	delete(s.items, key)
	value := s.value(old)
	delete(s.index[value], old)
	if len(s.index[value]) == 0 {
		delete(s.index, value)
	}
}
