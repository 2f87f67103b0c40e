// Misconception: Each object has a value of its own.
// Caught by: TestPut
// Message: the belief that each object has a value of its own

//go:build wrong

package index

// Values returns the values of the objects.
func (s *Store[T]) Values() []string {
	s.mu.RLock()
	defer s.mu.RUnlock()
	var values []string
	for value, set := range s.index {
		for range set {
			values = append(values, value) // wrong: several have it
		}
	}
	return values
}
