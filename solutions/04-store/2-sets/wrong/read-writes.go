// Misconception: a method that only answers may keep the answer for the next one who asks.
// Caught by: TestReadersAtOnce
// Message: data race

//go:build wrong

package sets

import (
	"maps"
	"slices"
)

// Index keeps the answer of Values until something is written.
type Index[T any] struct {
	values func(object T) ([]string, error)
	sets   map[string]map[string]bool // the set of each key
	keys   map[string]map[string]bool // the keys of each value
	answer *[]string
}

func (x *Index[T]) Delete(key string) { // Put begins with it
	x.answer = nil
	for value := range x.sets[key] {
		delete(x.keys[value], key)
		if len(x.keys[value]) == 0 {
			delete(x.keys, value)
		}
	}
	delete(x.sets, key)
}

func (x *Index[T]) Values() []string {
	if x.answer == nil {
		answer := slices.Sorted(maps.Keys(x.keys))
		x.answer = &answer // wrong: other readers are in here
	}
	return slices.Clone(*x.answer)
}
