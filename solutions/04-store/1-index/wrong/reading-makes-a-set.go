// Misconception: Asking changes nothing.
// Caught by: TestPut
// Message: in a new store, Values returns none

//go:build wrong

package index

// ByValue returns the objects of a set.
func (s *Store[T]) ByValue(value string) []T {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.index[value] == nil {
		s.index[value] = map[string]struct{}{} // wrong: now it is one of the values
	}
	var objects []T
	for key := range s.index[value] {
		objects = append(objects, s.items[key])
	}
	return objects
}
