package store

import (
	"fmt"
	"maps"
	"slices"
)

// ByIndex returns the objects that have a value in an index, in no order. An error says that there is no such index.
//
// Upstream: cache.Indexer.ByIndex.
func (s *Store) ByIndex(indexName, value string) ([]any, error) {
	s.reading.RLock()
	defer s.reading.RUnlock()
	x, err := s.index(indexName)
	if err != nil {
		return nil, err
	}
	return s.objects(x.keys[value]), nil
}

// IndexKeys returns the keys of the objects that have a value in an index, sorted.
//
// Upstream: cache.Indexer.IndexKeys.
func (s *Store) IndexKeys(indexName, value string) ([]string, error) {
	s.reading.RLock()
	defer s.reading.RUnlock()
	x, err := s.index(indexName)
	if err != nil {
		return nil, err
	}
	return slices.Sorted(maps.Keys(x.keys[value])), nil
}

// ListIndexFuncValues returns the values that objects have in an index, in no order; none if there is no such index.
//
// Upstream: cache.Indexer.ListIndexFuncValues.
func (s *Store) ListIndexFuncValues(indexName string) []string {
	s.reading.RLock()
	defer s.reading.RUnlock()
	x := s.indexes[indexName]
	if x == nil {
		return []string{}
	}
	values := make([]string, 0, len(x.keys))
	for value := range x.keys {
		values = append(values, value)
	}
	return values
}

// Index returns the objects that share a value of an index with the given one, each once, in no order. The given object
// need not be in the store. An error says that there is no such index, or is the index function's.
//
// Upstream: cache.Indexer.Index.
func (s *Store) Index(indexName string, object any) ([]any, error) {
	values, err := s.valuesOf(indexName, object)
	if err != nil {
		return nil, err
	}
	s.reading.RLock()
	defer s.reading.RUnlock()
	x, err := s.index(indexName)
	if err != nil {
		return nil, err
	}
	if len(values) == 1 {
		return s.objects(x.keys[values[0]]), nil
	}
	keys := keySet{}
	for _, value := range values {
		maps.Copy(keys, x.keys[value])
	}
	return s.objects(keys), nil
}

// valuesOf asks an index function without a lock, so that one that is slow, or that reads the store, stops nobody.
func (s *Store) valuesOf(indexName string, object any) ([]string, error) {
	s.reading.RLock()
	x, err := s.index(indexName)
	s.reading.RUnlock()
	if err != nil {
		return nil, err
	}
	values, err := x.of(object)
	if err != nil {
		return nil, fmt.Errorf("store: %w", err)
	}
	return values, nil
}

// index finds an index by name. The caller holds one of the locks.
func (s *Store) index(name string) (*index, error) {
	if x := s.indexes[name]; x != nil {
		return x, nil
	}
	return nil, fmt.Errorf("store: there is no index %q; there are %q", name, slices.Sorted(maps.Keys(s.indexes)))
}

// objects are the objects under some keys. The caller holds one of the locks.
func (s *Store) objects(keys keySet) []any {
	list := make([]any, 0, len(keys))
	for key := range keys {
		list = append(list, s.items[key])
	}
	return list
}
