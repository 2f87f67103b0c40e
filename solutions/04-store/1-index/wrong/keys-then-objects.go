// Breaks: "So no object is found under two values at once or under none, and no read finds part of a write."
// Caught by: TestReadsAmongWrites
// Message: the belief that two steps are one when each is safe

//go:build wrong

package index

import (
	"maps"
	"slices"
)

// ByValue finds the keys, and then gets the objects.
func (s *Store[T]) ByValue(value string) []T {
	s.mu.RLock()
	keys := slices.Collect(maps.Keys(s.index[value]))
	s.mu.RUnlock()
	var objects []T
	for _, key := range keys {
		if object, ok := s.Get(key); ok {
			objects = append(objects, object)
		}
	}
	return objects
}
