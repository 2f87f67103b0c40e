// Breaks: "Any number of goroutines may call any of the methods at once: each call checks and writes in one step,
// and none of them is made from what another one is about to change."
// Caught by: TestMethodsLock
// Message: there was a data race between a

//go:build wrong

package conflict

// Get returns an object.
func (s *Store) Get(name string) (Object, error) {
	o, ok := s.objects[name]
	if !ok {
		return Object{}, ErrNotFound
	}
	return o, nil
}
