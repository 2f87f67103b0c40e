package main

import (
	"fmt"
	"sync/atomic"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/client-go/tools/cache"

	index "github.com/controllers-from-scratch/controllers-from-scratch/chapters/04-store/exercises/1-index"
)

// myStore is a cache.Indexer on the reader's Store, which has one index: so there is one Store for each index, and all
// have the same objects. It knows of no transactions: the changes of a batch are made one by one.
type myStore struct {
	key      cache.KeyFunc
	indexers cache.Indexers
	objects  *index.Store[any]            // with no index that anybody asks for
	indexed  map[string]*index.Store[any] // by the name of the index
	version  atomic.Value                 // a string: the resourceVersion of the last list, change or bookmark
}

var _ cache.Indexer = (*myStore)(nil)

func newStore(key cache.KeyFunc, indexers cache.Indexers) cache.Indexer {
	s := &myStore{key: key, indexers: cache.Indexers{}, indexed: map[string]*index.Store[any]{}}
	s.objects = index.New(s.keyOf, func(any) string { return "" })
	s.version.Store("")
	if err := s.AddIndexers(indexers); err != nil {
		panic(err)
	}
	return s
}

func (s *myStore) keyOf(object any) string {
	key, _ := s.key(object) // checked before
	return key
}

// all are the reader's Stores. Nobody adds an index while objects come: the controller has its indexes from the start.
func (s *myStore) all() []*index.Store[any] {
	stores := []*index.Store[any]{s.objects}
	for _, one := range s.indexed {
		stores = append(stores, one)
	}
	return stores
}

// Add implements cache.Store.
func (s *myStore) Add(object any) error {
	if _, err := s.key(object); err != nil {
		return cache.KeyError{Obj: object, Err: err}
	}
	for _, one := range s.all() {
		one.Put(object)
	}
	s.saw(object)
	return nil
}

// Update implements cache.Store.
func (s *myStore) Update(object any) error { return s.Add(object) }

// Delete implements cache.Store.
func (s *myStore) Delete(object any) error {
	key, err := s.key(object)
	if err != nil {
		return cache.KeyError{Obj: object, Err: err}
	}
	for _, one := range s.all() {
		one.Delete(key)
	}
	s.saw(object)
	return nil
}

// Replace implements cache.Store.
func (s *myStore) Replace(list []any, version string) error {
	for _, object := range list {
		if _, err := s.key(object); err != nil {
			return cache.KeyError{Obj: object, Err: err}
		}
	}
	for _, one := range s.all() {
		one.Replace(list)
	}
	s.Bookmark(version)
	return nil
}

// saw remembers the version of an object that was written. A tombstone has none.
func (s *myStore) saw(object any) {
	if m, err := meta.Accessor(object); err == nil {
		s.Bookmark(m.GetResourceVersion())
	}
}

// Bookmark implements cache.Store.
func (s *myStore) Bookmark(version string) { s.version.Store(version) }

// LastStoreSyncResourceVersion implements cache.Store.
func (s *myStore) LastStoreSyncResourceVersion() string { return s.version.Load().(string) }

// Resync implements cache.Store. There is nothing to do.
func (s *myStore) Resync() error { return nil }

// List implements cache.Store.
func (s *myStore) List() []any { return s.objects.List() }

// ListKeys implements cache.Store.
func (s *myStore) ListKeys() []string { return s.keys(s.objects.List()) }

func (s *myStore) keys(objects []any) []string {
	keys := make([]string, len(objects))
	for i, object := range objects {
		keys[i] = s.keyOf(object)
	}
	return keys
}

// Get implements cache.Store.
func (s *myStore) Get(object any) (item any, exists bool, err error) {
	key, err := s.key(object)
	if err != nil {
		return nil, false, cache.KeyError{Obj: object, Err: err}
	}
	return s.GetByKey(key)
}

// GetByKey implements cache.Store.
func (s *myStore) GetByKey(key string) (item any, exists bool, err error) {
	item, exists = s.objects.Get(key)
	return item, exists, nil
}

// ByIndex implements cache.Indexer.
func (s *myStore) ByIndex(name, value string) ([]any, error) {
	store, ok := s.indexed[name]
	if !ok {
		return nil, fmt.Errorf("there is no index %q", name)
	}
	return store.ByValue(value), nil
}

// Index implements cache.Indexer.
func (s *myStore) Index(name string, object any) ([]any, error) {
	if s.indexers[name] == nil {
		return nil, fmt.Errorf("there is no index %q", name)
	}
	return s.ByIndex(name, s.valueOf(name)(object))
}

// IndexKeys implements cache.Indexer.
func (s *myStore) IndexKeys(name, value string) ([]string, error) {
	objects, err := s.ByIndex(name, value)
	return s.keys(objects), err
}

// ListIndexFuncValues implements cache.Indexer.
func (s *myStore) ListIndexFuncValues(name string) []string {
	if store, ok := s.indexed[name]; ok {
		return store.Values()
	}
	return nil
}

// GetIndexers implements cache.Indexer.
func (s *myStore) GetIndexers() cache.Indexers { return s.indexers }

// AddIndexers implements cache.Indexer, for indexes with one value for each object.
func (s *myStore) AddIndexers(more cache.Indexers) error {
	for name, values := range more {
		s.indexers[name] = values
		s.indexed[name] = index.New(s.keyOf, s.valueOf(name))
	}
	return nil
}

func (s *myStore) valueOf(name string) func(any) string {
	return func(object any) string {
		values, err := s.indexers[name](object)
		if err != nil || len(values) == 0 {
			return ""
		}
		return values[0]
	}
}
