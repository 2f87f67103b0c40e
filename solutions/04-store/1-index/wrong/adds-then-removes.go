// Breaks: "From then on the object is found by its key and by its value, and the one in whose place it is by neither,
// even if both have the same value."
// Caught by: TestTheSameValue
// Message: ByValue of "red" returns a=red v2

//go:build wrong

package index

func (s *Store[T]) put(object T) {
	key, value := s.key(object), s.value(object)
	if s.index[value] == nil {
		s.index[value] = map[string]struct{}{}
	}
	s.index[value][key] = struct{}{}
	s.remove(key)
	s.items[key] = object
}
