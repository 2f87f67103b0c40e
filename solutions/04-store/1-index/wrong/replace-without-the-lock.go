// Breaks: "Any number of goroutines may call any of the methods at once."
// Caught by: TestMethodsLock
// Message: there was a data race

//go:build wrong

package index

// Replace exchanges the objects.
func (s *Store[T]) Replace(objects []T) {
	other := New(s.key, s.value)
	for _, object := range objects {
		other.put(object)
	}
	s.items, s.index = other.items, other.index
}
