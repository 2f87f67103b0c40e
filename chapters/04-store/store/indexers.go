package store

import (
	"fmt"
	"maps"

	"k8s.io/client-go/tools/cache"
)

// AddIndexers adds indexes, and may be called at any time: what the store holds is indexed before a reader can ask. An
// error says that there is an index of that name, or that a function failed on an object; no index is added then.
//
// Upstream: cache.Indexer.AddIndexers. It writes into the map that cache.NewIndexer was given, also if that is the
// caller's or another store's.
func (s *Store) AddIndexers(indexers cache.Indexers) error {
	s.writing.Lock()
	defer s.writing.Unlock()
	added := map[string]*index{}
	for name, values := range indexers {
		if s.indexes[name] != nil {
			return fmt.Errorf("store: there is an index %q already", name)
		}
		added[name] = newIndex(name, values)
	}
	added, err := built(added, s.items)
	if err != nil {
		return err
	}
	maps.Copy(added, s.indexes)
	s.reading.Lock()
	defer s.reading.Unlock()
	s.indexes = added
	return nil
}

// GetIndexers returns the functions of the indexes, by name. The map is the caller's.
//
// Upstream: cache.Indexer.GetIndexers. It returns its own map, and takes no lock.
func (s *Store) GetIndexers() cache.Indexers {
	s.reading.RLock()
	defer s.reading.RUnlock()
	indexers := make(cache.Indexers, len(s.indexes))
	for name, x := range s.indexes {
		indexers[name] = x.values
	}
	return indexers
}
