// Breaks: "What is refused leaves everything as it is."
// Caught by: TestDeleteIsAWrite
// Message: after the refused Delete

//go:build wrong

package conflict

// Delete removes an object.
func (s *Store) Delete(name string, revision uint64) (uint64, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	current, ok := s.objects[name]
	switch {
	case !ok:
		return 0, ErrNotFound
	case revision != 0 && revision != current.Revision:
		delete(s.objects, name) // wrong: it is refused
		return 0, ErrConflict
	}
	s.revision++
	delete(s.objects, name)
	return s.revision, nil
}
