// Breaks: "Any number of goroutines may call any of the methods at once: each call checks and writes in one step,
// and none of them is made from what another one is about to change."
// Caught by: TestOneDeletes
// Message: succeeded

//go:build wrong

package conflict

// Delete removes an object.
func (s *Store) Delete(name string, revision uint64) (uint64, error) {
	current, err := s.Get(name)
	switch {
	case err != nil:
		return 0, err
	case revision != 0 && revision != current.Revision:
		return 0, ErrConflict
	}
	s.mu.Lock() // wrong: somebody else may have deleted it by now
	defer s.mu.Unlock()
	s.revision++
	delete(s.objects, name)
	return s.revision, nil
}
