// Misconception: To replace is to delete and to add.
// Caught by: TestReadsDuringAWrite
// Message: the belief that two steps are one when each is safe

//go:build wrong

package index

// Put deletes what is there, and adds the object.
func (s *Store[T]) Put(object T) {
	s.Delete(s.key(object))
	s.mu.Lock() // wrong: meanwhile the store holds neither
	defer s.mu.Unlock()
	s.put(object)
}
