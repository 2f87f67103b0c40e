// Breaks: "Any number of goroutines may call any of the methods at once: each call checks and writes in one step,
// and none of them is made from what another one is about to change."
// Caught by: TestWritesCount
// Message: or that called a method which wants it too

//go:build wrong

package conflict

// Update gives an object a value.
func (s *Store) Update(o Object) (Object, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	current, err := s.Get(o.Name) // wrong: Get waits for the lock
	switch {
	case err != nil:
		return Object{}, ErrNotFound
	case o.Revision != 0 && o.Revision != current.Revision:
		return Object{}, ErrConflict
	case o.Value == current.Value:
		return current, nil
	}
	s.revision++
	o.Revision = s.revision
	s.objects[o.Name] = o
	return o, nil
}
