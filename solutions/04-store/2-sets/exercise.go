// Package sets is an index whose function gives each object a set of values.
package sets

import (
	"fmt"
	"maps"
	"slices"
)

// Index keeps a set of values for each key and tells whose sets contain a value. The function values says
// what is in the set of an object: for a Pod it may return the names of the ConfigMaps that the Pod mounts.
// When the ConfigMap settings changes, Keys("settings") names the Pods to look at.
//
//   - A value that values returns twice for an object is in its set once.
//   - Keys and values are any text, which may be empty. An object is whatever values takes, also nil.
//   - The set of a key is that of its object at the moment of Put or Replace. Whoever holds a pointer to the
//     object may change it later: what values would return then does not count until it is put again.
//   - A slice that values returns belongs to values, which may return the same one again with other
//     contents, or a field of the object: the index neither changes nor keeps it.
//   - A slice that the index returns belongs to the caller, who may change it. Where there is nothing to return it
//     is nil or empty. Sorted is as Go compares strings.
//   - When values returns an error, so does the method that called it, and the index is as before. errors.Is
//     and errors.As find the error of values. What is returned beside an error does not count.
//   - A value that is in no set takes no memory, and neither does a key that is not in the index: however
//     many come and go, the index does not grow.
//   - The sync.RWMutex of whoever owns the index guards it: any number of goroutines may call Keys, Values
//     and Matching at once, but while one of them calls Put, Delete or Replace, no other calls anything.
//   - The function values calls no method of the index. A method calls it for one object after the other, in the
//     goroutine that called the method, since it may return the same slice again.
//   - Two indexes have nothing in common. Nobody closes one: a goroutine that New starts would be left behind.
//
// The fields may be changed: who uses the package sees what is exported.
type Index[T any] struct {
	values func(object T) ([]string, error)

	//solution:begin
	//todo: add the fields you need
	sets map[string]map[string]bool // the set of each key
	keys map[string]map[string]bool // the same the other way round: the keys of each value
	//solution:end
}

// New makes an empty index.
func New[T any](values func(object T) ([]string, error)) *Index[T] {
	//solution:begin
	//todo: make what your fields need
	//stub: return &Index[T]{values: values}
	return &Index[T]{
		values: values,
		sets:   map[string]map[string]bool{},
		keys:   map[string]map[string]bool{},
	}
	//solution:end
}

// Put puts object under key: its set takes the place of the set that key had. The text of an error
// contains the key, as it is or as %q writes it.
func (x *Index[T]) Put(key string, object T) error {
	//solution:begin
	//todo: which values come, which go, and what if values fails?
	//stub: return nil
	set, err := x.set(object)
	if err != nil {
		return fmt.Errorf("the values of %q: %w", key, err)
	}
	x.Delete(key)
	x.sets[key] = set
	for value := range set {
		if x.keys[value] == nil {
			x.keys[value] = map[string]bool{}
		}
		x.keys[value][key] = true
	}
	return nil
	//solution:end
}

// Delete takes key and its set out of the index. If it is not in there, nothing happens.
func (x *Index[T]) Delete(key string) {
	//solution:begin
	//todo: take it out wherever it is
	for value := range x.sets[key] {
		delete(x.keys[value], key)
		if len(x.keys[value]) == 0 {
			delete(x.keys, value)
		}
	}
	delete(x.sets, key)
	//solution:end
}

// Replace makes the index what it would be if it were new and these objects had been put under their keys.
// The text of an error contains the key of an object for which values failed, as it is or as %q writes it.
//
//   - The map may be nil. It stays the caller's: the index does not change it, and the caller may.
func (x *Index[T]) Replace(objects map[string]T) error {
	//solution:begin
	//todo: all of it or nothing
	//stub: return nil
	fresh := New(x.values)
	for key, object := range objects {
		if err := fresh.Put(key, object); err != nil {
			return err
		}
	}
	*x = *fresh
	return nil
	//solution:end
}

// Keys returns the keys whose set contains value, sorted, each once.
func (x *Index[T]) Keys(value string) []string {
	//solution:begin
	//todo: whose set contains it?
	//stub: return nil
	return slices.Sorted(maps.Keys(x.keys[value]))
	//solution:end
}

// Values returns the values that are in the set of at least one key, sorted, each once.
func (x *Index[T]) Values() []string {
	//solution:begin
	//todo: what is in a set?
	//stub: return nil
	return slices.Sorted(maps.Keys(x.keys))
	//solution:end
}

// Matching returns the keys whose set has at least one value in common with the set of object, sorted,
// each once. The object need not be in the index, and is not put into it.
func (x *Index[T]) Matching(object T) ([]string, error) {
	//solution:begin
	//todo: whose set contains any value of this object's set?
	//stub: return nil, nil
	set, err := x.set(object)
	if err != nil {
		return nil, err
	}
	keys := map[string]bool{}
	for value := range set {
		maps.Copy(keys, x.keys[value])
	}
	return slices.Sorted(maps.Keys(keys)), nil
	//solution:end
}

//solution:begin

// set is what values returns for an object, each value once and in a map of its own.
func (x *Index[T]) set(object T) (map[string]bool, error) {
	values, err := x.values(object)
	if err != nil {
		return nil, err
	}
	set := make(map[string]bool, len(values))
	for _, value := range values {
		set[value] = true
	}
	return set, nil
}

//solution:end
