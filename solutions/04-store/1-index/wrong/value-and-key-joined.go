// Breaks: "Keys and values are any text, which may be empty."
// Caught by: TestAnyText
// Message: ByValue of "" returns none

//go:build wrong

package index

import (
	"slices"
	"strings"
	"sync"
)

// Store holds objects. Its index is a sorted slice of "value/key".
type Store[T any] struct {
	key, value func(object T) string

	mu    sync.RWMutex // guards what follows
	items map[string]T // by key
	index []string
}

// New makes an empty store.
func New[T any](key, value func(object T) string) *Store[T] {
	s := &Store[T]{key: key, value: value, items: map[string]T{}}
	return s
}

// Replace exchanges all objects.
func (s *Store[T]) Replace(objects []T) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.items, s.index = map[string]T{}, nil
	for _, object := range objects {
		s.put(object)
	}
}

// ByValue returns the objects of the entries that begin with the value.
func (s *Store[T]) ByValue(value string) []T {
	s.mu.RLock()
	defer s.mu.RUnlock()
	var objects []T
	at, _ := slices.BinarySearch(s.index, value+"/")
	for ; at < len(s.index) && strings.HasPrefix(s.index[at], value+"/"); at++ {
		objects = append(objects, s.items[strings.TrimPrefix(s.index[at], value+"/")])
	}
	return objects
}

// Values returns what the entries begin with.
func (s *Store[T]) Values() []string {
	s.mu.RLock()
	defer s.mu.RUnlock()
	var values []string
	for _, entry := range s.index {
		value, _, _ := strings.Cut(entry, "/")
		values = append(values, value)
	}
	return slices.Compact(values)
}

func (s *Store[T]) put(object T) {
	key, value := s.key(object), s.value(object)
	s.remove(key)
	s.items[key] = object
	at, _ := slices.BinarySearch(s.index, value+"/"+key)
	s.index = slices.Insert(s.index, at, value+"/"+key)
}

func (s *Store[T]) remove(key string) {
	old, ok := s.items[key]
	if !ok {
		return
	}
	delete(s.items, key)
	at, _ := slices.BinarySearch(s.index, s.value(old)+"/"+key)
	s.index = slices.Delete(s.index, at, at+1)
}
