// Misconception: An index has to be told where an object is now.
// Caught by: TestAnotherValue
// Message: the belief that an index has to hear only where an object is now

//go:build wrong

package index

func (s *Store[T]) put(object T) {
	key, value := s.key(object), s.value(object)
	s.items[key] = object // wrong: where was it before?
	if s.index[value] == nil {
		s.index[value] = map[string]struct{}{}
	}
	s.index[value][key] = struct{}{}
}
