// Breaks: "From then on the object is found by its key and by its value, and the one in whose place it is by neither,
// even if both have the same value."
// Caught by: TestAnotherValue
// Message: Get of "a" returns

//go:build wrong

package index

func (s *Store[T]) put(object T) {
	key, value := s.key(object), s.value(object)
	if _, ok := s.items[key]; ok {
		return
	}
	s.items[key] = object
	if s.index[value] == nil {
		s.index[value] = map[string]struct{}{}
	}
	s.index[value][key] = struct{}{}
}
