// Breaks: "The slice stays the caller's: no call changes it, and once Replace has returned the caller may."
// Caught by: TestSliceOfReplace
// Message: the slice that the last Replace was given was changed

//go:build wrong

package index

import (
	"maps"
	"slices"
	"sync"
)

// Store holds objects. It has their list at hand.
type Store[T any] struct {
	key, value func(object T) string

	mu    sync.RWMutex // guards what follows
	items map[string]T // by key
	index map[string]map[string]struct{}
	list  []T // all of them, or nil
}

// List returns all objects.
func (s *Store[T]) List() []T {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if len(s.list) == len(s.items) {
		return slices.Clone(s.list)
	}
	return slices.Collect(maps.Values(s.items))
}

// Put stores an object.
func (s *Store[T]) Put(object T) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.list = nil
	s.put(object)
}

// Delete removes an object.
func (s *Store[T]) Delete(key string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.list = nil
	s.remove(key)
}

// Replace exchanges all objects.
func (s *Store[T]) Replace(objects []T) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.items = map[string]T{}
	s.index = map[string]map[string]struct{}{}
	for _, object := range objects {
		s.put(object)
	}
	s.list = objects // wrong: the caller's
}
