// Breaks: "What was deleted or replaced costs no memory, however much of it there was: no key and no value is kept
// once no object has it."
// Caught by: TestNothingIsKept
// Message: a Put of one object with another value

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

func (s *Store[T]) remove(key string) {
	old, ok := s.items[key]
	if !ok {
		return
	}
	delete(s.items, key)
	delete(s.index[s.value(old)], key)
}
