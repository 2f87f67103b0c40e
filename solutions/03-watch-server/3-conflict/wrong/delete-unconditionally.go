// Misconception: Deleting needs no condition.
// Caught by: TestDeleteIsAWrite
// Message: deleting needs no condition

//go:build wrong

package conflict

// Delete removes an object.
func (s *Store) Delete(name string, revision uint64) (uint64, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, ok := s.objects[name]; !ok {
		return 0, ErrNotFound
	}
	s.revision++
	delete(s.objects, name)
	return s.revision, nil
}
