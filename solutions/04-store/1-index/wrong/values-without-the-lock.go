// Breaks: "Any number of goroutines may call any of the methods at once."
// Caught by: TestMethodsLock
// Message: there was a data race

//go:build wrong

package index

import (
	"maps"
	"slices"
)

// Values returns the values of the sets.
func (s *Store[T]) Values() []string { return slices.Collect(maps.Keys(s.index)) }
