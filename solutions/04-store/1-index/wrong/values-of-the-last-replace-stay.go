// Breaks: "What was deleted or replaced costs no memory, however much of it there was: no key and no value is kept
// once no object has it."
// Caught by: TestNothingIsKept
// Message: a Replace with another object

//go:build wrong

package index

// Values leaves out the values of empty sets.
func (s *Store[T]) Values() []string {
	s.mu.RLock()
	defer s.mu.RUnlock()
	var values []string
	for value, set := range s.index {
		if len(set) > 0 {
			values = append(values, value)
		}
	}
	return values
}

// Replace empties the sets.
func (s *Store[T]) Replace(objects []T) {
	s.mu.Lock()
	defer s.mu.Unlock()
	clear(s.items)
	for _, set := range s.index {
		clear(set)
	}
	for _, object := range objects {
		s.put(object)
	}
}
