// Misconception: What has its lock is safe.
// Caught by: TestReadsAmongWrites
// Message: the belief that two steps are one when each is safe
// Removes: Store.put, Store.remove

//go:build wrong

package index

import (
	"maps"
	"slices"
	"sync"
)

// Store holds objects. Each of its maps has its lock.
type Store[T any] struct {
	key, value func(object T) string

	mu    sync.RWMutex // guards items
	items map[string]T // by key

	indexMu sync.RWMutex // guards index
	index   map[string]map[string]T
}

// New makes an empty store.
func New[T any](key, value func(object T) string) *Store[T] {
	return &Store[T]{key: key, value: value, items: map[string]T{}, index: map[string]map[string]T{}}
}

// Put stores an object.
func (s *Store[T]) Put(object T) {
	key := s.key(object)
	s.mu.Lock()
	old, ok := s.items[key]
	s.items[key] = object
	s.mu.Unlock()
	s.indexMu.Lock() // wrong: who has read the items by now, and looks here next?
	defer s.indexMu.Unlock()
	if ok {
		s.out(key, old)
	}
	s.in(key, object)
}

// Delete removes an object.
func (s *Store[T]) Delete(key string) {
	s.mu.Lock()
	old, ok := s.items[key]
	delete(s.items, key)
	s.mu.Unlock()
	s.indexMu.Lock()
	defer s.indexMu.Unlock()
	if ok {
		s.out(key, old)
	}
}

// Replace exchanges the objects.
func (s *Store[T]) Replace(objects []T) {
	items := map[string]T{}
	for _, object := range objects {
		items[s.key(object)] = object
	}
	s.mu.Lock()
	s.items = maps.Clone(items)
	s.mu.Unlock()
	s.indexMu.Lock()
	defer s.indexMu.Unlock()
	s.index = map[string]map[string]T{}
	for key, object := range items {
		s.in(key, object)
	}
}

func (s *Store[T]) in(key string, object T) {
	value := s.value(object)
	if s.index[value] == nil {
		s.index[value] = map[string]T{}
	}
	s.index[value][key] = object
}

func (s *Store[T]) out(key string, object T) {
	value := s.value(object)
	delete(s.index[value], key)
	if len(s.index[value]) == 0 {
		delete(s.index, value)
	}
}

// ByValue returns the objects of a set.
func (s *Store[T]) ByValue(value string) []T {
	s.indexMu.RLock()
	defer s.indexMu.RUnlock()
	return slices.Collect(maps.Values(s.index[value]))
}

// Values returns the values of the sets.
func (s *Store[T]) Values() []string {
	s.indexMu.RLock()
	defer s.indexMu.RUnlock()
	return slices.Collect(maps.Keys(s.index))
}
