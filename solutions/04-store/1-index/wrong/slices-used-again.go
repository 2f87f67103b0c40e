// Breaks: "A slice that a read returns is the caller's, who may change it. No other call notices that, and no later
// call changes it."
// Caught by: TestSlicesOfReads
// Message: a slice that ByValue

//go:build wrong

package index

import "sync"

// Store holds objects. It uses a slice again.
type Store[T any] struct {
	key, value func(object T) string

	mu    sync.RWMutex // guards what follows
	items map[string]T // by key
	index map[string]map[string]struct{}
	found []T
}

// ByValue returns the objects of a set.
func (s *Store[T]) ByValue(value string) []T {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.found = s.found[:0]
	for key := range s.index[value] {
		s.found = append(s.found, s.items[key])
	}
	return s.found
}
