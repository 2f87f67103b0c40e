// Breaks: "Keys and values are any text, which may be empty."
// Caught by: TestAnyText
// Message: Get of "" returns

//go:build wrong

package index

// Put stores an object that has a key.
func (s *Store[T]) Put(object T) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.key(object) == "" {
		return
	}
	s.put(object)
}
