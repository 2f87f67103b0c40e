// Breaks: "The slice stays the caller's: no call changes it, and once Replace has returned the caller may."
// Caught by: TestSliceOfReplace
// Message: a slice that Replace was given holds what it held

//go:build wrong

package index

import (
	"cmp"
	"slices"
)

// Replace exchanges the objects, in an order in which those of one key stand together.
func (s *Store[T]) Replace(objects []T) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.items = map[string]T{}
	s.index = map[string]map[string]struct{}{}
	slices.SortStableFunc(objects, func(a, b T) int { return cmp.Compare(s.key(a), s.key(b)) })
	for _, object := range objects {
		s.put(object)
	}
}
