// Misconception: What is not there has a value, too.
// Caught by: TestKeyAndValueGetWhatWasPut
// Message: the belief that what is not there can be asked for its value

//go:build wrong

package index

func (s *Store[T]) remove(key string) {
	value := s.value(s.items[key]) // wrong: of what?
	delete(s.items, key)
	delete(s.index[value], key)
	if len(s.index[value]) == 0 {
		delete(s.index, value)
	}
}
