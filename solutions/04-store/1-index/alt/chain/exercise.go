// Package index is another right solution of exercise 04.1: objects of one value are linked to each other, and the
// lock is a channel.
package index

import "iter"

// Store knows the entry of each key, and for each value the ring of its entries.
type Store[T any] struct {
	key, value func(object T) string

	lock  chan struct{} // holds something while somebody uses what follows
	items map[string]*entry[T]
	rings map[string]*entry[T]
}

// entry is in the ring of its value.
type entry[T any] struct {
	object     T
	value      string
	next, prev *entry[T]
}

// New makes an empty store.
func New[T any](key, value func(object T) string) *Store[T] {
	s := &Store[T]{key: key, value: value, lock: make(chan struct{}, 1)}
	s.clear()
	return s
}

func (s *Store[T]) clear() { s.items, s.rings = map[string]*entry[T]{}, map[string]*entry[T]{} }

// locked takes the lock; what it returns gives it back.
func (s *Store[T]) locked() (unlock func()) {
	s.lock <- struct{}{}
	return func() { <-s.lock }
}

// Get returns the object with a key.
func (s *Store[T]) Get(key string) (object T, ok bool) {
	defer s.locked()()
	if e := s.items[key]; e != nil {
		return e.object, true
	}
	return object, false
}

// List returns all objects.
func (s *Store[T]) List() []T {
	defer s.locked()()
	list := make([]T, 0, len(s.items))
	for _, e := range s.items {
		list = append(list, e.object)
	}
	return list
}

// Put links an object.
func (s *Store[T]) Put(object T) {
	defer s.locked()()
	s.link(object)
}

// Delete unlinks an object.
func (s *Store[T]) Delete(key string) {
	defer s.locked()()
	s.unlink(key)
}

// Replace links these objects alone.
func (s *Store[T]) Replace(objects []T) {
	defer s.locked()()
	s.clear()
	for _, object := range objects {
		s.link(object)
	}
}

// ByValue goes around a ring.
func (s *Store[T]) ByValue(value string) []T {
	defer s.locked()()
	list := []T{}
	for e := range s.rings[value].around() {
		list = append(list, e.object)
	}
	return list
}

// Values returns the values that have a ring.
func (s *Store[T]) Values() []string {
	defer s.locked()()
	values := make([]string, 0, len(s.rings))
	for value := range s.rings {
		values = append(values, value)
	}
	return values
}

func (s *Store[T]) link(object T) {
	key := s.key(object)
	s.unlink(key)
	e := &entry[T]{object: object, value: s.value(object)}
	s.items[key] = e
	first := s.rings[e.value]
	if first == nil {
		e.next, e.prev = e, e
		s.rings[e.value] = e
		return
	}
	e.next, e.prev = first, first.prev
	e.prev.next, first.prev = e, e
}

func (s *Store[T]) unlink(key string) {
	e := s.items[key]
	if e == nil {
		return
	}
	delete(s.items, key)
	switch {
	case e.next == e:
		delete(s.rings, e.value)
		return
	case s.rings[e.value] == e:
		s.rings[e.value] = e.next
	}
	e.prev.next, e.next.prev = e.next, e.prev
}

// around yields the entries of a ring; nil is one without any.
func (e *entry[T]) around() iter.Seq[*entry[T]] {
	return func(yield func(*entry[T]) bool) {
		for at := e; at != nil; {
			if !yield(at) {
				return
			}
			if at = at.next; at == e {
				return
			}
		}
	}
}
