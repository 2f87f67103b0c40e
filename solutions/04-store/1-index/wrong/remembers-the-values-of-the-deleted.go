// Breaks: "What was deleted or replaced costs no memory, however much of it there was: no key and no value is kept
// once no object has it."
// Caught by: TestNothingIsKept
// Message: a Put and a Delete of another object

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

func (s *Store[T]) put(object T) {
	key, value := s.key(object), s.value(object)
	s.remove(key)
	s.items[key] = object
	s.values[key] = value
	if s.index[value] == nil {
		s.index[value] = map[string]struct{}{}
	}
	s.index[value][key] = struct{}{}
}

func (s *Store[T]) remove(key string) {
	if _, ok := s.items[key]; !ok {
		return
	}
	delete(s.items, key)
	value := s.values[key]
	delete(s.index[value], key)
	if len(s.index[value]) == 0 {
		delete(s.index, value)
	}
}
