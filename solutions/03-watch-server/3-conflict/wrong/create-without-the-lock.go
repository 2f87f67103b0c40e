// Breaks: "Any number of goroutines may call any of the methods at once: each call checks and writes in one step,
// and none of them is made from what another one is about to change."
// Caught by: TestMethodsLock
// Message: there was a data race between a

//go:build wrong

package conflict

// Create stores a new object.
func (s *Store) Create(name, value string) (Object, error) {
	if _, ok := s.objects[name]; ok {
		return Object{}, ErrExists
	}
	s.revision++
	o := Object{name, value, s.revision}
	s.objects[name] = o
	return o, nil
}
