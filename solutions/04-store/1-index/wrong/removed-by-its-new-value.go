// Misconception: The value that an object has is the one under which it is found.
// Caught by: TestAnotherValue
// Message: the belief that an index has to hear only where an object is now

//go:build wrong

package index

func (s *Store[T]) put(object T) {
	key, value := s.key(object), s.value(object)
	delete(s.index[value], key) // wrong: it was under the value of the old one
	s.items[key] = object
	if s.index[value] == nil {
		s.index[value] = map[string]struct{}{}
	}
	s.index[value][key] = struct{}{}
}
