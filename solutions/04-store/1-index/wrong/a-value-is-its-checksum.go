// Breaks: "ByValue returns the objects that have this very value, each once, in any order."
// Caught by: TestAnyText
// Message: ByValue of "buckeroo" returns

//go:build wrong

package index

import (
	"hash/crc32"
	"sync"
)

// Store holds objects. The index knows checksums of the values.
type Store[T any] struct {
	key, value func(object T) string

	mu    sync.RWMutex // guards what follows
	items map[string]T // by key
	index map[uint32]*set
}

// New makes an empty store.
func New[T any](key, value func(object T) string) *Store[T] {
	s := &Store[T]{key: key, value: value, items: map[string]T{}}
	s.index = map[uint32]*set{}
	return s
}

// set is that of a value.
type set struct {
	value string
	keys  map[string]bool
}

func sum(value string) uint32 { return crc32.ChecksumIEEE([]byte(value)) }

// Replace exchanges the objects.
func (s *Store[T]) Replace(objects []T) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.items, s.index = map[string]T{}, map[uint32]*set{}
	for _, object := range objects {
		s.put(object)
	}
}

// ByValue returns the objects of a set.
func (s *Store[T]) ByValue(value string) []T {
	s.mu.RLock()
	defer s.mu.RUnlock()
	var objects []T
	if set := s.index[sum(value)]; set != nil {
		for key := range set.keys {
			objects = append(objects, s.items[key])
		}
	}
	return objects
}

// Values returns the values of the sets.
func (s *Store[T]) Values() []string {
	s.mu.RLock()
	defer s.mu.RUnlock()
	var values []string
	for _, set := range s.index {
		values = append(values, set.value)
	}
	return values
}

func (s *Store[T]) put(object T) {
	key, value := s.key(object), s.value(object)
	s.remove(key)
	s.items[key] = object
	if s.index[sum(value)] == nil {
		s.index[sum(value)] = &set{value, map[string]bool{}}
	}
	s.index[sum(value)].keys[key] = true
}

func (s *Store[T]) remove(key string) {
	old, ok := s.items[key]
	if !ok {
		return
	}
	delete(s.items, key)
	from := s.index[sum(s.value(old))]
	delete(from.keys, key)
	if len(from.keys) == 0 {
		delete(s.index, sum(from.value))
	}
}
