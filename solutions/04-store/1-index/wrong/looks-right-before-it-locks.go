// Breaks: "So no object is found under two values at once or under none, and no read finds part of a write."
// Caught by: TestWritesAtOnce
// Message: the belief that what a write has looked up still holds when it writes
// Removes: Store.put, Store.remove

//go:build wrong

package index

import "sync"

// Store holds objects. It remembers their values.
type Store[T any] struct {
	key, value func(object T) string

	mu     sync.RWMutex // guards what follows
	items  map[string]T // by key
	index  map[string]map[string]struct{}
	values map[string]string
}

// New makes an empty store.
func New[T any](key, value func(object T) string) *Store[T] {
	s := &Store[T]{key: key, value: value, items: map[string]T{}}
	s.index = map[string]map[string]struct{}{}
	s.values = map[string]string{}
	return s
}

// Put stores an object.
func (s *Store[T]) Put(object T) {
	key, value := s.key(object), s.value(object)
	s.mu.RLock()
	was, ok := s.values[key]
	s.mu.RUnlock()
	s.mu.Lock()
	defer s.mu.Unlock()
	if ok {
		s.out(key, was)
	}
	s.in(key, value, object)
}

// Delete removes an object.
func (s *Store[T]) Delete(key string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if was, ok := s.values[key]; ok {
		s.out(key, was)
	}
}

// Replace exchanges the objects.
func (s *Store[T]) Replace(objects []T) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.items, s.values = map[string]T{}, map[string]string{}
	s.index = map[string]map[string]struct{}{}
	for _, object := range objects {
		key := s.key(object)
		if was, ok := s.values[key]; ok {
			s.out(key, was)
		}
		s.in(key, s.value(object), object)
	}
}

func (s *Store[T]) in(key, value string, object T) {
	s.items[key], s.values[key] = object, value
	if s.index[value] == nil {
		s.index[value] = map[string]struct{}{}
	}
	s.index[value][key] = struct{}{}
}

func (s *Store[T]) out(key, value string) {
	delete(s.items, key)
	delete(s.values, key)
	delete(s.index[value], key)
	if len(s.index[value]) == 0 {
		delete(s.index, value)
	}
}
