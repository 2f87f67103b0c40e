// Breaks: "Any number of goroutines may call any of the methods at once: each call checks and writes in one step,
// and none of them is made from what another one is about to change."
// Caught by: TestMethodsLock
// Message: there was a data race between a

//go:build wrong

package conflict

// Delete removes an object.
func (s *Store) Delete(name string, revision uint64) (uint64, error) {
	current, ok := s.objects[name]
	switch {
	case !ok:
		return 0, ErrNotFound
	case revision != 0 && revision != current.Revision:
		return 0, ErrConflict
	}
	s.revision++
	delete(s.objects, name)
	return s.revision, nil
}
