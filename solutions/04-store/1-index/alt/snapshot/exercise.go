// Package index is another right solution of exercise 04.1: readers take no lock, for nothing that they can see is
// ever changed.
package index

import (
	"maps"
	"slices"
	"sync"
	"sync/atomic"
)

// Store holds the newest of its states.
type Store[T any] struct {
	key, value func(object T) string

	writing sync.Mutex // held from reading a state to publishing the next
	now     atomic.Pointer[state[T]]
}

// state is never changed, and neither are its sets.
type state[T any] struct {
	items map[string]T
	sets  map[string]map[string]T // by value, then by key
}

// New makes an empty store.
func New[T any](key, value func(object T) string) *Store[T] {
	s := &Store[T]{key: key, value: value}
	s.Replace(nil)
	return s
}

// Get returns the object with a key.
func (s *Store[T]) Get(key string) (T, bool) {
	object, ok := s.now.Load().items[key]
	return object, ok
}

// List returns all objects.
func (s *Store[T]) List() []T { return slices.Collect(maps.Values(s.now.Load().items)) }

// ByValue returns the objects that have this value.
func (s *Store[T]) ByValue(value string) []T {
	return slices.Collect(maps.Values(s.now.Load().sets[value]))
}

// Values returns the values that objects have.
func (s *Store[T]) Values() []string { return slices.Collect(maps.Keys(s.now.Load().sets)) }

// Put publishes a state with the object.
func (s *Store[T]) Put(object T) {
	key, value := s.key(object), s.value(object)
	s.next(key, func(n *state[T]) {
		n.items[key] = object
		set := maps.Clone(n.sets[value])
		if set == nil {
			set = map[string]T{}
		}
		set[key] = object
		n.sets[value] = set
	})
}

// Delete publishes a state without the object.
func (s *Store[T]) Delete(key string) { s.next(key, func(*state[T]) {}) }

// Replace publishes a state with these objects.
func (s *Store[T]) Replace(objects []T) {
	n := &state[T]{items: map[string]T{}, sets: map[string]map[string]T{}}
	for _, object := range objects {
		n.items[s.key(object)] = object
	}
	for key, object := range n.items {
		value := s.value(object)
		if n.sets[value] == nil {
			n.sets[value] = map[string]T{}
		}
		n.sets[value][key] = object
	}
	s.writing.Lock()
	defer s.writing.Unlock()
	s.now.Store(n)
}

// next publishes a state in which a key has no object, and then what change makes of it.
func (s *Store[T]) next(key string, change func(*state[T])) {
	s.writing.Lock()
	defer s.writing.Unlock()
	n := *s.now.Load()
	n.items, n.sets = maps.Clone(n.items), maps.Clone(n.sets)
	if old, ok := n.items[key]; ok {
		value := s.value(old)
		set := maps.Clone(n.sets[value])
		delete(set, key)
		delete(n.items, key)
		if n.sets[value] = set; len(set) == 0 {
			delete(n.sets, value)
		}
	}
	change(&n)
	s.now.Store(&n)
}
