// Breaks: "ByValue returns the objects that have this very value, each once, in any order."
// Caught by: TestAnyText
// Message: ByValue of "" returns none

//go:build wrong

package index

import "strings"

// New makes an empty store. Space around a value does not count.
func New[T any](key, value func(object T) string) *Store[T] {
	s := &Store[T]{key: key, items: map[string]T{}, index: map[string]map[string]struct{}{}}
	s.value = func(object T) string { return strings.TrimSpace(value(object)) }
	return s
}
