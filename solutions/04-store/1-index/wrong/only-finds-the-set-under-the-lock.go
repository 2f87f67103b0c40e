// Breaks: "Any number of goroutines may call any of the methods at once."
// Caught by: TestMethodsLock
// Message: there was a data race

//go:build wrong

package index

// ByValue returns the objects of a set.
func (s *Store[T]) ByValue(value string) []T {
	s.mu.RLock()
	set, items := s.index[value], s.items
	s.mu.RUnlock()
	var objects []T
	for key := range set { // wrong: these are the maps that others write
		objects = append(objects, items[key])
	}
	return objects
}
