// Misconception: A copy of a map is a copy of what is in it.
// Caught by: TestMethodsLock
// Message: there was a data race
// Base: alt/snapshot

//go:build wrong

package index

import "maps"

// Put publishes a state with the object.
func (s *Store[T]) Put(object T) {
	key, value := s.key(object), s.value(object)
	s.next(key, func(n *state[T]) {
		n.items[key] = object
		if n.sets[value] == nil {
			n.sets[value] = map[string]T{}
		}
		n.sets[value][key] = object // wrong: this set is in the state of before, too
	})
}

// next publishes a state in which a key has no object, and then what change makes of it.
func (s *Store[T]) next(key string, change func(*state[T])) {
	s.writing.Lock()
	defer s.writing.Unlock()
	n := *s.now.Load()
	n.items, n.sets = maps.Clone(n.items), maps.Clone(n.sets)
	if old, ok := n.items[key]; ok {
		value := s.value(old)
		delete(n.items, key)
		delete(n.sets[value], key)
		if len(n.sets[value]) == 0 {
			delete(n.sets, value)
		}
	}
	change(&n)
	s.now.Store(&n)
}
