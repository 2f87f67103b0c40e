// Misconception: An empty set is no set.
// Caught by: TestAnotherValue
// Message: the belief that an empty set is no set

//go:build wrong

package index

func (s *Store[T]) remove(key string) {
	old, ok := s.items[key]
	if !ok {
		return
	}
	delete(s.items, key)
	delete(s.index[s.value(old)], key) // wrong: the set stays, however empty
}
