// Breaks: "Keys and values are any text, which may be empty."
// Caught by: TestAnyText
// Message: Happened: it returned none

//go:build wrong

package index

import "strings"

// New makes an empty store, of texts.
func New[T any](key, value func(object T) string) *Store[T] {
	s := &Store[T]{key: key, items: map[string]T{}, index: map[string]map[string]struct{}{}}
	s.value = func(object T) string { return strings.ToValidUTF8(value(object), "\ufffd") }
	return s
}
