package main

import (
	"fmt"
	"sync/atomic"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/client-go/tools/cache"

	index "github.com/controllers-from-scratch/controllers-from-scratch/chapters/04-store/exercises/1-index"
)

// myStore is a cache.Indexer on the reader's Store. Its one index is that of namespaces.
type myStore struct {
	objects *index.Store[any]
	key     cache.KeyFunc
	version atomic.Value // a string: the resourceVersion of the last list, change or bookmark
}

var _ cache.Indexer = (*myStore)(nil)

func newStore(key cache.KeyFunc, indexers cache.Indexers) cache.Indexer {
	s := &myStore{key: key, objects: index.New(
		func(object any) string { k, _ := key(object); return k }, // checked before
		namespaceOf)}
	s.version.Store("")
	if err := s.AddIndexers(indexers); err != nil {
		panic(err)
	}
	return s
}

func namespaceOf(object any) string {
	m, err := meta.Accessor(object)
	if err != nil {
		return ""
	}
	return m.GetNamespace()
}

// Add implements cache.Store.
func (s *myStore) Add(object any) error {
	if _, err := s.key(object); err != nil {
		return cache.KeyError{Obj: object, Err: err}
	}
	s.objects.Put(object)
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
	s.objects.Delete(key)
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
	s.objects.Replace(list)
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
		keys[i], _ = s.key(object)
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
	if name != cache.NamespaceIndex {
		return nil, fmt.Errorf("your store has no index %q: its one index is %q", name, cache.NamespaceIndex)
	}
	return s.objects.ByValue(value), nil
}

// Index implements cache.Indexer.
func (s *myStore) Index(name string, object any) ([]any, error) {
	return s.ByIndex(name, namespaceOf(object))
}

// IndexKeys implements cache.Indexer.
func (s *myStore) IndexKeys(name, value string) ([]string, error) {
	objects, err := s.ByIndex(name, value)
	return s.keys(objects), err
}

// ListIndexFuncValues implements cache.Indexer.
func (s *myStore) ListIndexFuncValues(name string) []string {
	if name != cache.NamespaceIndex {
		return nil
	}
	return s.objects.Values()
}

// GetIndexers implements cache.Indexer.
func (s *myStore) GetIndexers() cache.Indexers {
	return cache.Indexers{cache.NamespaceIndex: cache.MetaNamespaceIndexFunc}
}

// AddIndexers implements cache.Indexer. Another index than that of namespaces is refused.
func (s *myStore) AddIndexers(more cache.Indexers) error {
	for name := range more {
		if _, err := s.ByIndex(name, ""); err != nil {
			return err
		}
	}
	return nil
}
