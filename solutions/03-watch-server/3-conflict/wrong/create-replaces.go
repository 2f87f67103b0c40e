// Misconception: Creating what exists is an update.
// Caught by: TestCreateAndUpdateDiffer
// Message: a create may replace

//go:build wrong

package conflict

// Create stores a new object.
func (s *Store) Create(name, value string) (Object, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.revision++
	o := Object{name, value, s.revision}
	s.objects[name] = o
	return o, nil
}
