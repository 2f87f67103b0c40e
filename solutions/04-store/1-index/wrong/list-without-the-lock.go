// Breaks: "Any number of goroutines may call any of the methods at once."
// Caught by: TestMethodsLock
// Message: there was a data race

//go:build wrong

package index

import (
	"maps"
	"slices"
)

// List returns all objects.
func (s *Store[T]) List() []T { return slices.Collect(maps.Values(s.items)) }
