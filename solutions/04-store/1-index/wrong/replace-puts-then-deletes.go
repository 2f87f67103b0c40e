// Misconception: Who adds before he deletes shows no gap.
// Caught by: TestReadsDuringAWrite
// Message: the belief that two steps are one when each is safe

//go:build wrong

package index

// Replace puts the objects, and deletes the others.
func (s *Store[T]) Replace(objects []T) {
	keep := map[string]bool{}
	for _, object := range objects {
		s.Put(object) // wrong: meanwhile the store holds both
		keep[s.key(object)] = true
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for key := range s.items {
		if !keep[key] {
			s.remove(key)
		}
	}
}
