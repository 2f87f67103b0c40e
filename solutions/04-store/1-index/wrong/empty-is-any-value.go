// Breaks: "ByValue returns the objects that have this very value, each once, in any order."
// Caught by: TestPut
// Message: ByValue of "" returns none

//go:build wrong

package index

// ByValue returns the objects of a set. No value is any value.
func (s *Store[T]) ByValue(value string) []T {
	if value == "" {
		return s.List()
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	var objects []T
	for key := range s.index[value] {
		objects = append(objects, s.items[key])
	}
	return objects
}
