// Misconception: A value has one object.
// Caught by: TestPut
// Message: the belief that a value has one object: the one that came last

//go:build wrong

package index

import "sync"

// Store holds objects. The index has a key for each value.
type Store[T any] struct {
	key, value func(object T) string

	mu    sync.RWMutex // guards what follows
	items map[string]T // by key
	index map[string]string
}

// New makes an empty store.
func New[T any](key, value func(object T) string) *Store[T] {
	s := &Store[T]{key: key, value: value, items: map[string]T{}}
	s.index = map[string]string{}
	return s
}

// Replace exchanges all objects.
func (s *Store[T]) Replace(objects []T) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.items = map[string]T{}
	s.index = map[string]string{}
	for _, object := range objects {
		s.put(object)
	}
}

// ByValue returns the object of a value.
func (s *Store[T]) ByValue(value string) []T {
	s.mu.RLock()
	defer s.mu.RUnlock()
	key, ok := s.index[value]
	if !ok {
		return nil
	}
	return []T{s.items[key]}
}

func (s *Store[T]) put(object T) {
	key, value := s.key(object), s.value(object)
	s.remove(key)
	s.items[key] = object
	s.index[value] = key
}

func (s *Store[T]) remove(key string) {
	old, ok := s.items[key]
	if !ok {
		return
	}
	delete(s.items, key)
	if value := s.value(old); s.index[value] == key {
		delete(s.index, value)
	}
}
