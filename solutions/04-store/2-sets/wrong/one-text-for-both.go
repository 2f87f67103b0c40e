// Misconception: a value and a key can be joined with a separator, and cut apart again.
// Caught by: TestAnyText
// Message: "a/b" (not in Values): c
// Removes: pair, compare
// Base: alt/pairs

//go:build wrong

package sets

import (
	"fmt"
	"slices"
	"strings"
)

// Index is a set of texts "value/key".
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
		p := value + "/" + key
		if i, found := slices.BinarySearch(x.pairs, p); !found {
			x.pairs = slices.Insert(x.pairs, i, p)
		}
	}
	return nil
}

func (x *Index[T]) Delete(key string) {
	x.pairs = slices.DeleteFunc(x.pairs, func(p string) bool {
		_, k, _ := strings.Cut(p, "/") // wrong: a value may contain it
		return k == key
	})
}

func (x *Index[T]) Keys(value string) []string {
	var keys []string
	for _, p := range x.pairs {
		if key, ok := strings.CutPrefix(p, value+"/"); ok {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	return keys
}

func (x *Index[T]) Values() []string {
	var values []string
	for _, p := range x.pairs {
		value, _, _ := strings.Cut(p, "/")
		values = append(values, value)
	}
	slices.Sort(values)
	return slices.Compact(values)
}
