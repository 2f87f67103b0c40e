// Breaks: "Stores share nothing with each other."
// Caught by: TestStoresShareNothing
// Message: an object was created in one store

//go:build wrong

package conflict

var writes uint64 // wrong: whose?

// Create stores a new object.
func (s *Store) Create(name, value string) (Object, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, ok := s.objects[name]; ok {
		return Object{}, ErrExists
	}
	writes++
	s.revision = writes
	o := Object{name, value, s.revision}
	s.objects[name] = o
	return o, nil
}
