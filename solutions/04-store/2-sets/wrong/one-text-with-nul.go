// Misconception: no text has a NUL in it, so that it separates a value from a key.
// Caught by: TestAnyText
// Message: \x00
// Removes: pair, compare
// Base: alt/pairs

//go:build wrong

package sets

import (
	"fmt"
	"slices"
	"strings"
)

// Index is a set of texts "value NUL key".
type Index[T any] struct {
	values func(object T) ([]string, error)
	pairs  []string
}

func (x *Index[T]) Put(key string, object T) error {
	values, err := x.values(object)
	if err != nil {
		return fmt.Errorf("no values of %s: %w", key, err)
	}
	x.Delete(key)
	for _, value := range values {
		p := value + "\x00" + key
		if i, found := slices.BinarySearch(x.pairs, p); !found {
			x.pairs = slices.Insert(x.pairs, i, p)
		}
	}
	return nil
}

func (x *Index[T]) Delete(key string) {
	x.pairs = slices.DeleteFunc(x.pairs, func(p string) bool {
		_, k, _ := strings.Cut(p, "\x00") // wrong: a value may contain it
		return k == key
	})
}

func (x *Index[T]) Keys(value string) []string {
	var keys []string
	for _, p := range x.pairs {
		if key, ok := strings.CutPrefix(p, value+"\x00"); ok {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	return keys
}

func (x *Index[T]) Values() []string {
	var values []string
	for _, p := range x.pairs {
		value, _, _ := strings.Cut(p, "\x00")
		values = append(values, value)
	}
	slices.Sort(values)
	return slices.Compact(values)
}
