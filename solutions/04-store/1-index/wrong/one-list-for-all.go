// Breaks: "A slice that a read returns is the caller's, who may change it. No other call notices that, and no later
// call changes it."
// Caught by: TestSlicesOfReads
// Message: a slice that List returned

//go:build wrong

package index

import (
	"maps"
	"slices"
	"sync"
)

// Store holds objects. It keeps their list until the next write.
type Store[T any] struct {
	key, value func(object T) string

	mu    sync.RWMutex // guards what follows
	items map[string]T // by key
	index map[string]map[string]struct{}
	list  []T // or nil
}

// List returns all objects.
func (s *Store[T]) List() []T {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.list == nil {
		s.list = slices.Collect(maps.Values(s.items))
	}
	return slices.Clip(s.list)
}

// Replace exchanges all objects.
func (s *Store[T]) Replace(objects []T) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.list = nil
	s.items = map[string]T{}
	s.index = map[string]map[string]struct{}{}
	for _, object := range objects {
		s.put(object)
	}
}

func (s *Store[T]) put(object T) {
	key, value := s.key(object), s.value(object)
	s.remove(key)
	s.list = nil
	s.items[key] = object
	if s.index[value] == nil {
		s.index[value] = map[string]struct{}{}
	}
	s.index[value][key] = struct{}{}
}

func (s *Store[T]) remove(key string) {
	old, ok := s.items[key]
	if !ok {
		return
	}
	s.list = nil
	delete(s.items, key)
	value := s.value(old)
	delete(s.index[value], key)
	if len(s.index[value]) == 0 {
		delete(s.index, value)
	}
}
