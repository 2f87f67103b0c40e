// Breaks: Two indexes have nothing in common.
// Caught by: TestTwoIndexes
// Message: before anything is put, the index is empty

//go:build wrong

package sets

var allKeys = map[string]map[string]bool{}

// New makes an empty index.
func New[T any](values func(object T) ([]string, error)) *Index[T] {
	return &Index[T]{values: values, sets: map[string]map[string]bool{}, keys: allKeys}
}
