// Breaks: "Any number of goroutines may call any of the methods at once."
// Caught by: TestMethodsLock
// Message: there was a data race

//go:build wrong

package index

// Delete removes an object.
func (s *Store[T]) Delete(key string) { s.remove(key) }
