// Package index is another right solution of exercise 04.1: an object is remembered with its value and its place among
// those that have it. key and value are called while nobody has to wait for them.
package index

import "sync"

// Store holds records by key, and the same records by value.
type Store[T any] struct {
	key, value func(object T) string

	mu    sync.RWMutex // guards what follows
	items map[string]*record[T]
	index map[string][]*record[T]
}

type record[T any] struct {
	object     T
	key, value string
	place      int // in the slice of its value
}

// New makes an empty store.
func New[T any](key, value func(object T) string) *Store[T] {
	return &Store[T]{
		key: key, value: value,
		items: map[string]*record[T]{},
		index: map[string][]*record[T]{},
	}
}

// record makes one.
func (s *Store[T]) record(object T) *record[T] {
	return &record[T]{object: object, key: s.key(object), value: s.value(object)}
}

// add puts a record where it belongs, and what it takes the place of nowhere.
func (s *Store[T]) add(r *record[T]) {
	old, ok := s.items[r.key]
	s.items[r.key] = r
	if ok && old.value == r.value {
		r.place = old.place
		s.index[r.value][r.place] = r
		return
	}
	if ok {
		s.take(old)
	}
	r.place = len(s.index[r.value])
	s.index[r.value] = append(s.index[r.value], r)
}

// take takes a record out of the index. The last one of its value gets its place.
func (s *Store[T]) take(r *record[T]) {
	all := s.index[r.value]
	last := len(all) - 1
	if last == 0 {
		delete(s.index, r.value)
		return
	}
	all[r.place], all[last].place = all[last], r.place
	all[last] = nil
	s.index[r.value] = all[:last]
}

// Get returns the object with a key.
func (s *Store[T]) Get(key string) (object T, ok bool) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if r, ok := s.items[key]; ok {
		return r.object, true
	}
	return object, false
}

// List returns all objects.
func (s *Store[T]) List() []T {
	s.mu.RLock()
	defer s.mu.RUnlock()
	list := make([]T, 0, len(s.items))
	for _, r := range s.items {
		list = append(list, r.object)
	}
	return list
}

// Put stores an object.
func (s *Store[T]) Put(object T) {
	r := s.record(object)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.add(r)
}

// Delete removes an object.
func (s *Store[T]) Delete(key string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if r, ok := s.items[key]; ok {
		delete(s.items, key)
		s.take(r)
	}
}

// Replace makes a store of these objects, and takes what that has.
func (s *Store[T]) Replace(objects []T) {
	other := New(s.key, s.value)
	for _, object := range objects {
		other.add(other.record(object))
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.items, s.index = other.items, other.index
}

// ByValue returns the objects that have this value.
func (s *Store[T]) ByValue(value string) []T {
	s.mu.RLock()
	defer s.mu.RUnlock()
	list := make([]T, len(s.index[value]))
	for i, r := range s.index[value] {
		list[i] = r.object
	}
	return list
}

// Values returns the values that objects have.
func (s *Store[T]) Values() []string {
	s.mu.RLock()
	defer s.mu.RUnlock()
	values := make([]string, 0, len(s.index))
	for value := range s.index {
		values = append(values, value)
	}
	return values
}
