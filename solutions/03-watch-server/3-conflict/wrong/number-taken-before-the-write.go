// Breaks: "The first write has revision 1, and each further one the next, whichever object it is made to."
// Caught by: TestEachWriteHasItsRevision
// Message: have revisions without a gap, each its own

//go:build wrong

package conflict

// next is the revision of the next write.
func (s *Store) next() uint64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.revision + 1
}

// Create stores a new object.
func (s *Store) Create(name, value string) (Object, error) {
	revision := s.next() // wrong: another write may have it by now
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, ok := s.objects[name]; ok {
		return Object{}, ErrExists
	}
	s.revision = revision
	o := Object{name, value, revision}
	s.objects[name] = o
	return o, nil
}
