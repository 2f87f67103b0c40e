// Breaks: "Delete returns the revision of the deletion."
// Caught by: TestEachWriteHasItsRevision
// Message: have revisions without a gap

//go:build wrong

package conflict

// Delete removes an object.
func (s *Store) Delete(name string, revision uint64) (uint64, error) {
	if err := s.remove(name, revision); err != nil {
		return 0, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.revision, nil // wrong: somebody else may have written since
}

func (s *Store) remove(name string, revision uint64) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	current, ok := s.objects[name]
	switch {
	case !ok:
		return ErrNotFound
	case revision != 0 && revision != current.Revision:
		return ErrConflict
	}
	s.revision++
	delete(s.objects, name)
	return nil
}
