// Breaks: "Keys and values are any text, which may be empty."
// Caught by: TestAnyText
// Message: ByValue of "" returns

//go:build wrong

package index

func (s *Store[T]) put(object T) {
	key, value := s.key(object), s.value(object)
	s.remove(key)
	s.items[key] = object
	if value == "" {
		return
	}
	if s.index[value] == nil {
		s.index[value] = map[string]struct{}{}
	}
	s.index[value][key] = struct{}{}
}
