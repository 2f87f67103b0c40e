// Breaks: "Any number of goroutines may call any of the methods at once: each call checks and writes in one step,
// and none of them is made from what another one is about to change."
// Caught by: TestOneWins
// Message: succeeded

//go:build wrong

package conflict

// Update gives an object a value.
func (s *Store) Update(o Object) (Object, error) {
	s.mu.Lock()
	current, ok := s.objects[o.Name]
	switch {
	case !ok:
		s.mu.Unlock()
		return Object{}, ErrNotFound
	case o.Revision != 0 && o.Revision != current.Revision:
		s.mu.Unlock()
		return Object{}, ErrConflict
	case o.Value == current.Value:
		s.mu.Unlock()
		return current, nil
	}
	s.revision++
	o.Revision = s.revision
	s.mu.Unlock()
	s.mu.Lock() // wrong: in between, others check against what is no more
	s.objects[o.Name] = o
	s.mu.Unlock()
	return o, nil
}
