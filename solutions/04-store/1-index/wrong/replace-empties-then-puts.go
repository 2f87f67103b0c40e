// Misconception: A write is a sequence of safe writes.
// Caught by: TestReadsDuringAWrite
// Message: the belief that two steps are one when each is safe

//go:build wrong

package index

// Replace empties the store, and puts the objects.
func (s *Store[T]) Replace(objects []T) {
	s.mu.Lock()
	s.items = map[string]T{}
	s.index = map[string]map[string]struct{}{}
	s.mu.Unlock()
	for _, object := range objects { // wrong: meanwhile the store holds some of them
		s.Put(object)
	}
}
