// Package index is another right solution of exercise 04.1: two sorted slices, searched by halves.
package index

import (
	"cmp"
	"slices"
	"sync"
)

// Store holds each object twice, with its key and value: in the order of the keys, and in that of the values.
type Store[T any] struct {
	key, value func(object T) string

	mu      sync.Mutex // guards what follows
	byKey   []entry[T]
	byValue []entry[T]
}

type entry[T any] struct {
	key, value string
	object     T
}

// orderOfKeys compares by key.
func orderOfKeys[T any](a, b entry[T]) int { return cmp.Compare(a.key, b.key) }

// orderOfValues compares by value, and entries of one value by key.
func orderOfValues[T any](a, b entry[T]) int {
	return cmp.Or(cmp.Compare(a.value, b.value), cmp.Compare(a.key, b.key))
}

// New makes an empty store.
func New[T any](key, value func(object T) string) *Store[T] {
	return &Store[T]{key: key, value: value}
}

// Get returns the object with a key.
func (s *Store[T]) Get(key string) (object T, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	at, ok := slices.BinarySearchFunc(s.byKey, entry[T]{key: key}, orderOfKeys)
	if ok {
		object = s.byKey[at].object
	}
	return object, ok
}

// List returns all objects.
func (s *Store[T]) List() []T {
	s.mu.Lock()
	defer s.mu.Unlock()
	return objectsOf(s.byKey)
}

// Put stores an object.
func (s *Store[T]) Put(object T) {
	e := entry[T]{s.key(object), s.value(object), object}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.remove(e.key)
	at, _ := slices.BinarySearchFunc(s.byKey, e, orderOfKeys)
	s.byKey = slices.Insert(s.byKey, at, e)
	at, _ = slices.BinarySearchFunc(s.byValue, e, orderOfValues)
	s.byValue = slices.Insert(s.byValue, at, e)
}

// Delete removes an object.
func (s *Store[T]) Delete(key string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.remove(key)
}

func (s *Store[T]) remove(key string) {
	at, ok := slices.BinarySearchFunc(s.byKey, entry[T]{key: key}, orderOfKeys)
	if !ok {
		return
	}
	old := s.byKey[at]
	s.byKey = slices.Delete(s.byKey, at, at+1)
	at, _ = slices.BinarySearchFunc(s.byValue, old, orderOfValues)
	s.byValue = slices.Delete(s.byValue, at, at+1)
}

// Replace sorts these objects.
func (s *Store[T]) Replace(objects []T) {
	var entries []entry[T]
	for _, object := range slices.Backward(objects) {
		entries = append(entries, entry[T]{s.key(object), s.value(object), object})
	}
	slices.SortStableFunc(entries, orderOfKeys) // the last of a key comes first
	entries = slices.CompactFunc(entries, func(a, b entry[T]) bool { return a.key == b.key })
	s.mu.Lock()
	defer s.mu.Unlock()
	s.byKey, s.byValue = entries, slices.SortedFunc(slices.Values(entries), orderOfValues)
}

// ByValue returns the objects that have this value.
func (s *Store[T]) ByValue(value string) []T {
	s.mu.Lock()
	defer s.mu.Unlock()
	from, _ := slices.BinarySearchFunc(s.byValue, entry[T]{value: value}, orderOfValues) // no key is before ""
	to := from
	for to < len(s.byValue) && s.byValue[to].value == value {
		to++
	}
	return objectsOf(s.byValue[from:to])
}

// Values returns the values that objects have.
func (s *Store[T]) Values() (values []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i, e := range s.byValue {
		if i == 0 || e.value != s.byValue[i-1].value {
			values = append(values, e.value)
		}
	}
	return values
}

func objectsOf[T any](entries []entry[T]) []T {
	objects := make([]T, len(entries))
	for i, e := range entries {
		objects[i] = e.object
	}
	return objects
}
