// Breaks: "Any number of goroutines may call any of the methods at once."
// Caught by: TestMethodsLock
// Message: there was a data race

//go:build wrong

package index

// ByValue returns the objects of a set.
func (s *Store[T]) ByValue(value string) []T {
	var objects []T
	for key := range s.index[value] {
		objects = append(objects, s.items[key])
	}
	return objects
}
