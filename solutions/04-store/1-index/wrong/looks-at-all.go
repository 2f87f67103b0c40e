// Misconception: An index is a loop that somebody has written once.
// Caught by: TestReadsCallNeitherKeyNorValue
// Message: the belief that to look at all objects is to have an index

//go:build wrong

package index

// ByValue looks for the objects.
func (s *Store[T]) ByValue(value string) []T {
	s.mu.RLock()
	defer s.mu.RUnlock()
	var objects []T
	for _, object := range s.items {
		if s.value(object) == value { // wrong: of every object there is
			objects = append(objects, object)
		}
	}
	return objects
}
