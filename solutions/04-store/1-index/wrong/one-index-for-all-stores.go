// Breaks: "Stores share nothing with each other."
// Caught by: TestPut
// Message: in a new store, Values returns none

//go:build wrong

package index

var all = map[string]map[string]struct{}{} // wrong: whose?

// New makes an empty store.
func New[T any](key, value func(object T) string) *Store[T] {
	return &Store[T]{key: key, value: value, items: map[string]T{}, index: all}
}
