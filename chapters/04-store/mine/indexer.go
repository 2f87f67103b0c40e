package main

import (
	"errors"
	"slices"
	"sync"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/cache"

	index "github.com/controllers-from-scratch/controllers-from-scratch/chapters/04-store/exercises/1-index"
	sets "github.com/controllers-from-scratch/controllers-from-scratch/chapters/04-store/exercises/2-sets"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/04-store/store"
)

// ingredientIndex is the name of the index of sets.
const ingredientIndex = "ingredient"

// ingredients are what the data of a ConfigMap has: an index function whose sets have several values.
func ingredients(c *corev1.ConfigMap) ([]string, error) {
	var names []string
	for name := range c.Data {
		names = append(names, name)
	}
	return names, nil
}

// indexer is a cache.Indexer of which some methods are the reader's. What is not written yet is the book's store, which
// gets all writes as well.
type indexer struct {
	*store.Store
	wrote chan struct{} // a write of the Reflector is done

	mine *index.Store[*corev1.ConfigMap] // nil: not written yet

	mu   sync.RWMutex // guards what follows, as an Index wants it
	sets *sets.Index[*corev1.ConfigMap]
}

var _ cache.Indexer = (*indexer)(nil)

func newIndexer(yours pieces) *indexer {
	x := &indexer{wrote: make(chan struct{}, 100), Store: store.New(cache.MetaNamespaceKeyFunc, cache.Indexers{
		cache.NamespaceIndex: cache.MetaNamespaceIndexFunc,
		ingredientIndex:      func(o any) ([]string, error) { return ingredients(o.(*corev1.ConfigMap)) },
	})}
	if yours.store {
		x.mine = index.New(keyOf, func(c *corev1.ConfigMap) string { return c.Namespace })
	}
	if yours.sets {
		x.sets = sets.New(ingredients)
	}
	return x
}

func keyOf(c *corev1.ConfigMap) string { return c.Namespace + "/" + c.Name }

// Add implements cache.Store.
func (x *indexer) Add(object any) error {
	defer x.done()
	c := object.(*corev1.ConfigMap)
	if x.mine != nil {
		x.mine.Put(c)
	}
	return errors.Join(x.Store.Add(object), x.change(func() error { return x.sets.Put(keyOf(c), c) }))
}

// Update implements cache.Store.
func (x *indexer) Update(object any) error { return x.Add(object) }

// Delete implements cache.Store.
func (x *indexer) Delete(object any) error {
	defer x.done()
	key, err := cache.DeletionHandlingMetaNamespaceKeyFunc(object)
	if err != nil {
		return err
	}
	if x.mine != nil {
		x.mine.Delete(key)
	}
	return errors.Join(x.Store.Delete(object), x.change(func() error { x.sets.Delete(key); return nil }))
}

// Replace implements cache.Store.
func (x *indexer) Replace(list []any, resourceVersion string) error {
	defer x.done()
	objects, byKey := []*corev1.ConfigMap{}, map[string]*corev1.ConfigMap{}
	for _, object := range list {
		c := object.(*corev1.ConfigMap)
		objects, byKey[keyOf(c)] = append(objects, c), c
	}
	if x.mine != nil {
		x.mine.Replace(objects)
	}
	return errors.Join(x.Store.Replace(list, resourceVersion), x.change(func() error { return x.sets.Replace(byKey) }))
}

// change writes to the reader's index of sets, if there is one.
func (x *indexer) change(write func() error) error {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.sets == nil {
		return nil
	}
	return write()
}

func (x *indexer) done() { x.wrote <- struct{}{} }

// GetByKey implements cache.Store.
func (x *indexer) GetByKey(key string) (item any, exists bool, err error) {
	if x.mine == nil {
		return x.Store.GetByKey(key)
	}
	if c, ok := x.mine.Get(key); ok {
		return c, true, nil
	}
	return nil, false, nil
}

// List implements cache.Store.
func (x *indexer) List() []any {
	if x.mine == nil {
		return x.Store.List()
	}
	return untyped(x.mine.List())
}

// Index implements cache.Indexer: the lister asks it for a namespace.
func (x *indexer) Index(indexName string, object any) ([]any, error) {
	if x.mine == nil || indexName != cache.NamespaceIndex {
		return x.Store.Index(indexName, object)
	}
	namespaces, err := cache.MetaNamespaceIndexFunc(object)
	if err != nil {
		return nil, err
	}
	return untyped(x.mine.ByValue(namespaces[0])), nil
}

// IndexKeys implements cache.Indexer.
func (x *indexer) IndexKeys(indexName, value string) ([]string, error) {
	if x.sets == nil || indexName != ingredientIndex {
		return x.Store.IndexKeys(indexName, value)
	}
	x.mu.RLock()
	defer x.mu.RUnlock()
	return x.sets.Keys(value), nil
}

// ListIndexFuncValues implements cache.Indexer.
func (x *indexer) ListIndexFuncValues(indexName string) []string {
	if x.sets == nil || indexName != ingredientIndex {
		return slices.Sorted(slices.Values(x.Store.ListIndexFuncValues(indexName)))
	}
	x.mu.RLock()
	defer x.mu.RUnlock()
	return x.sets.Values()
}

func untyped(objects []*corev1.ConfigMap) []any {
	list := make([]any, 0, len(objects))
	for _, c := range objects {
		list = append(list, c)
	}
	return list
}
