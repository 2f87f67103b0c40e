// Misconception: An object that was deleted can still be asked for its value.
// Caught by: TestAnotherValue
// Message: the belief that an index has to hear only where an object is now

//go:build wrong

package index

func (s *Store[T]) remove(key string) {
	if _, ok := s.items[key]; !ok {
		return
	}
	delete(s.items, key)
	value := s.value(s.items[key]) // wrong: that one is gone
	delete(s.index[value], key)
	if len(s.index[value]) == 0 {
		delete(s.index, value)
	}
}
