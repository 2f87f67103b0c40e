package store

import (
	"fmt"

	"k8s.io/client-go/tools/cache"
)

// keySet is a set of the keys of objects.
type keySet map[string]struct{}

// index says which objects have a value: their keys, by value. It holds keys and not objects, so that an object that is
// replaced under its key needs no change of an index whose value it keeps.
type index struct {
	name   string
	values cache.IndexFunc
	keys   map[string]keySet
}

func newIndex(name string, values cache.IndexFunc) *index {
	return &index{name: name, values: values, keys: map[string]keySet{}}
}

// of asks the index function for an object's values.
func (x *index) of(object any) ([]string, error) {
	if x.values == nil {
		return nil, fmt.Errorf("index %q has no function", x.name)
	}
	values, err := x.values(object)
	if err != nil {
		return nil, fmt.Errorf("index %q: %w", x.name, err)
	}
	return values, nil
}

// insert puts a key under values.
func (x *index) insert(key string, values []string) {
	for _, value := range values {
		set := x.keys[value]
		if set == nil {
			set = keySet{}
			x.keys[value] = set
		}
		set[key] = struct{}{}
	}
}

// remove takes a key from under values. A set that is empty goes: with values that never come back, such as the
// name of an owner, the empty sets would soon outnumber the objects.
func (x *index) remove(key string, values []string) {
	for _, value := range values {
		set := x.keys[value]
		delete(set, key)
		if len(set) == 0 {
			delete(x.keys, value)
		}
	}
}

// under looks at all values for those that a key is under.
func (x *index) under(key string) (values []string) {
	for value, set := range x.keys {
		if _, has := set[key]; has {
			values = append(values, value)
		}
	}
	return values
}
