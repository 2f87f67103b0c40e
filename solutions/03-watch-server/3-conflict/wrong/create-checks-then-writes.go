// Breaks: "Any number of goroutines may call any of the methods at once: each call checks and writes in one step,
// and none of them is made from what another one is about to change."
// Caught by: TestOneCreates
// Message: succeeded

//go:build wrong

package conflict

// Create stores a new object.
func (s *Store) Create(name, value string) (Object, error) {
	if _, err := s.Get(name); err == nil {
		return Object{}, ErrExists
	}
	s.mu.Lock() // wrong: somebody else may have created it by now
	defer s.mu.Unlock()
	s.revision++
	o := Object{name, value, s.revision}
	s.objects[name] = o
	return o, nil
}
