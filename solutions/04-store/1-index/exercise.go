// Package index keeps objects by key, and an index of them that is always true: by value.
package index

import (
	"maps"
	"slices"
	"sync"
)

// Store holds objects. It finds one by its key, and all those that have one value. Get, List, ByValue
// and Values are its reads; Put, Delete and Replace are its writes.
//
//   - Any number of goroutines may call any of the methods at once.
//   - Each call happens at one moment between its beginning and its end: what one read has found, a read
//     that begins later finds too, unless it was written since.
//   - So no object is found under two values at once or under none, and no read finds part of a write.
//   - What a ByValue costs, also the first after a write, does not grow with the number of objects that
//     have other values.
//   - What was deleted or replaced costs no memory, however much of it there was: no key and no value is
//     kept once no object has it. The room that a Go map once needed does not count.
//   - A slice that a read returns is the caller's, who may change it. No other call notices that, and no
//     later call changes it.
//   - Keys and values are any text, which may be empty.
//   - Stores share nothing with each other.
//   - Nobody closes a store: a goroutine that outlives the call that started it is a leak.
//
// The fields, New, Get and List may be changed: who uses the package sees what is exported.
type Store[T any] struct {
	key, value func(object T) string

	mu    sync.RWMutex // guards what follows
	items map[string]T // by key

	//solution:begin
	//todo: add the index
	index map[string]map[string]struct{} // the keys of the objects, by value
	//solution:end
}

// New makes an empty store. key returns what identifies an object, value what it is indexed by.
//
//   - Both return the same whenever they get the same object, and may be called at any time of a write, as
//     often as it likes, by several goroutines. They may take long, and do not call the store.
//   - Reads call neither of them.
//   - They are called with objects that were given to Put or Replace, and with nothing else.
//   - Nobody changes an object that was put: one that changes is put as another object with the same key.
//   - T is any type, also one whose objects can't be compared.
func New[T any](key, value func(object T) string) *Store[T] {
	s := &Store[T]{key: key, value: value, items: map[string]T{}}
	//solution:begin
	//todo: make what you have added
	s.index = map[string]map[string]struct{}{}
	//solution:end
	return s
}

// Get returns the object with a key. When there is none, it returns the zero value and false.
func (s *Store[T]) Get(key string) (T, bool) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	object, ok := s.items[key]
	return object, ok
}

// List returns all objects, in any order.
func (s *Store[T]) List() []T {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return slices.Collect(maps.Values(s.items))
}

// Put stores an object, in the place of the one with its key, if there is one.
//
//   - From then on the object is found by its key and by its value, and the one in whose place it is by
//     neither, even if both have the same value.
func (s *Store[T]) Put(object T) {
	//solution:begin
	//todo: store it, and make the index true again
	s.mu.Lock()
	defer s.mu.Unlock()
	s.put(object)
	//solution:end
}

// Delete takes the object with a key out of the store. When there is none, nothing changes.
func (s *Store[T]) Delete(key string) {
	//solution:begin
	//todo: remove it, and make the index true again
	s.mu.Lock()
	defer s.mu.Unlock()
	s.remove(key)
	//solution:end
}

// Replace has the store hold these objects and no others.
//
//   - Of several objects with one key, the last counts; the others are as if they were not there.
//   - No objects, also as nil, leave the store empty.
//   - The slice stays the caller's: no call changes it, and once Replace has returned the caller may.
func (s *Store[T]) Replace(objects []T) {
	//solution:begin
	//todo: forget what there was, and store these
	s.mu.Lock()
	defer s.mu.Unlock()
	s.items = map[string]T{}
	s.index = map[string]map[string]struct{}{}
	for _, object := range objects {
		s.put(object)
	}
	//solution:end
}

// ByValue returns the objects that have this very value, each once, in any order. When there are none,
// it returns none.
func (s *Store[T]) ByValue(value string) []T {
	//solution:begin
	//todo: ask the index
	//stub: return nil
	s.mu.RLock()
	defer s.mu.RUnlock()
	var objects []T
	for key := range s.index[value] {
		objects = append(objects, s.items[key])
	}
	return objects
	//solution:end
}

// Values returns the values that objects have at that moment, each once, in any order. A value that no
// object has any more is not among them.
func (s *Store[T]) Values() []string {
	//solution:begin
	//todo: ask the index
	//stub: return nil
	s.mu.RLock()
	defer s.mu.RUnlock()
	return slices.Collect(maps.Keys(s.index))
	//solution:end
}

//solution:begin

// put stores an object. The caller has the lock.
func (s *Store[T]) put(object T) {
	key, value := s.key(object), s.value(object)
	s.remove(key)
	s.items[key] = object
	if s.index[value] == nil {
		s.index[value] = map[string]struct{}{}
	}
	s.index[value][key] = struct{}{}
}

// remove forgets an object. The caller has the lock.
func (s *Store[T]) remove(key string) {
	old, ok := s.items[key]
	if !ok {
		return
	}
	delete(s.items, key)
	value := s.value(old) // the one that it has, whatever comes in its place
	delete(s.index[value], key)
	if len(s.index[value]) == 0 {
		delete(s.index, value)
	}
}

//solution:end
