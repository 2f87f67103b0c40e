// Package sets is an index whose function gives each object a set of values.
package sets

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

	// TODO: add the fields you need
}

// New makes an empty index.
func New[T any](values func(object T) ([]string, error)) *Index[T] {
	// TODO: make what your fields need
	return &Index[T]{values: values}
}

// Put puts object under key: its set takes the place of the set that key had. The text of an error
// contains the key, as it is or as %q writes it.
func (x *Index[T]) Put(key string, object T) error {
	// TODO: which values come, which go, and what if values fails?
	return nil
}

// Delete takes key and its set out of the index. If it is not in there, nothing happens.
func (x *Index[T]) Delete(key string) {
	// TODO: take it out wherever it is
}

// Replace makes the index what it would be if it were new and these objects had been put under their keys.
// The text of an error contains the key of an object for which values failed, as it is or as %q writes it.
//
//   - The map may be nil. It stays the caller's: the index does not change it, and the caller may.
func (x *Index[T]) Replace(objects map[string]T) error {
	// TODO: all of it or nothing
	return nil
}

// Keys returns the keys whose set contains value, sorted, each once.
func (x *Index[T]) Keys(value string) []string {
	// TODO: whose set contains it?
	return nil
}

// Values returns the values that are in the set of at least one key, sorted, each once.
func (x *Index[T]) Values() []string {
	// TODO: what is in a set?
	return nil
}

// Matching returns the keys whose set has at least one value in common with the set of object, sorted,
// each once. The object need not be in the index, and is not put into it.
func (x *Index[T]) Matching(object T) ([]string, error) {
	// TODO: whose set contains any value of this object's set?
	return nil, nil
}
