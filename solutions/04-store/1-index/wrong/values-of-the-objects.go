// Breaks: "Reads call neither of them."
// Caught by: TestReadsCallNeitherKeyNorValue
// Message: Values calls neither key nor value

//go:build wrong

package index

import (
	"maps"
	"slices"
)

// Values asks the objects.
func (s *Store[T]) Values() []string {
	s.mu.RLock()
	defer s.mu.RUnlock()
	values := map[string]bool{}
	for _, object := range s.items {
		values[s.value(object)] = true
	}
	return slices.Collect(maps.Keys(values))
}
