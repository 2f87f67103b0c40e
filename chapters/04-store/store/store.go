package store

import (
	"sync"

	"k8s.io/client-go/tools/cache"
)

var (
	_ cache.Indexer          = (*Store)(nil)
	_ cache.TransactionStore = (*Store)(nil)
)

// Store holds objects by key, and finds them by key and by the values of its indexes. It is safe for concurrent use:
// each read is of one state, and the states follow each other in the order of the writes.
//
// Upstream: what cache.NewIndexer returns.
type Store struct {
	keyFunc   cache.KeyFunc
	transform cache.TransformFunc // nil: none

	// writing belongs to one writer at a time, from its first look at the state to its last change.
	writing sync.Mutex
	scratch []move // empty: space that each write uses again

	// reading guards what is below it. A writer reads that without the lock, since nobody else changes it, and takes
	// the lock for the change alone: an index function keeps no reader waiting.
	reading         sync.RWMutex
	items           map[string]any
	indexes         map[string]*index
	resourceVersion string
}

// An Option changes a store that is being made.
type Option func(*Store)

// WithTransformer has the store keep what transform makes of each object that is put into it. The key is that of the
// object as it came. An error of transform is the error of the write, which then changes nothing.
//
// Upstream: cache.WithTransformer, in tools/cache/store.go.
func WithTransformer(transform cache.TransformFunc) Option {
	return func(s *Store) { s.transform = transform }
}

// New makes an empty store. keyFunc names an object, and indexers may be nil; the map stays the caller's.
//
// Upstream: cache.NewIndexer, in tools/cache/store.go.
func New(keyFunc cache.KeyFunc, indexers cache.Indexers, options ...Option) *Store {
	s := &Store{keyFunc: keyFunc, items: map[string]any{}, indexes: map[string]*index{}}
	for name, values := range indexers {
		s.indexes[name] = newIndex(name, values)
	}
	for _, option := range options {
		option(s)
	}
	return s
}

// key is keyFunc's answer, with the error that all writes and reads by object return.
func (s *Store) key(object any) (string, error) {
	key, err := s.keyFunc(object)
	if err != nil {
		return "", cache.KeyError{Obj: object, Err: err}
	}
	return key, nil
}
