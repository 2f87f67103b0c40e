// Breaks: "So no object is found under two values at once or under none, and no read finds part of a write."
// Caught by: TestReadsAmongWrites
// Message: the belief that two steps are one when each is safe

//go:build wrong

package index

// Replace exchanges the objects, and then the index.
func (s *Store[T]) Replace(objects []T) {
	other := New(s.key, s.value)
	for _, object := range objects {
		other.put(object)
	}
	s.mu.Lock()
	s.items = other.items
	s.mu.Unlock()
	s.mu.Lock()
	s.index = other.index
	s.mu.Unlock()
}
