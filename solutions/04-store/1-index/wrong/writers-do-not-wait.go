// Misconception: Who publishes a whole new state needs no lock.
// Caught by: TestWritesDuringAWrite
// Message: the belief that what a write has looked up still holds when it writes
// Base: alt/snapshot

//go:build wrong

package index

import (
	"maps"
	"sync/atomic"
)

// Store holds the newest of its states.
type Store[T any] struct {
	key, value func(object T) string

	now atomic.Pointer[state[T]]
}

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
	s.now.Store(n)
}

// next publishes a state in which a key has no object, and then what change makes of it.
func (s *Store[T]) next(key string, change func(*state[T])) {
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
	s.now.Store(&n) // wrong: somebody else's write is not in it
}
