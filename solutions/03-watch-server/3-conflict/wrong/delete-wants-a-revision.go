// Breaks: "revision is that of the object as the client knows it, or 0, which means that the client does not care."
// Caught by: TestDeleteIsAWrite
// Message: Delete of b with revision 0 is made whatever is there

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
	case revision != current.Revision:
		return 0, ErrConflict
	}
	s.revision++
	delete(s.objects, name)
	return s.revision, nil
}
