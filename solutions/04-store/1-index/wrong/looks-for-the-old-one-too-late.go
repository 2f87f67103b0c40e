// Misconception: What was there is still there after the write.
// Caught by: TestAnotherValue
// Message: the belief that an index has to hear only where an object is now

//go:build wrong

package index

func (s *Store[T]) put(object T) {
	key, value := s.key(object), s.value(object)
	s.items[key] = object
	s.remove(key) // wrong: that is the new one
	s.items[key] = object
	if s.index[value] == nil {
		s.index[value] = map[string]struct{}{}
	}
	s.index[value][key] = struct{}{}
}
