package store

import "fmt"

// Replace makes the store hold these objects and no others, as of a resourceVersion. Of several with one key the last
// is kept. Readers see the old state or the new one, and wait only while the two change places. An error has the
// reasons that [Store.Add]'s has; nothing has changed then. The list stays the caller's.
//
// Upstream: cache.Store.Replace, which computes the indexes while readers wait.
func (s *Store) Replace(list []any, resourceVersion string) error {
	items := make(map[string]any, len(list))
	for _, object := range list {
		c, err := s.arrival(object)
		if err != nil {
			return err
		}
		items[c.key] = c.object
	}
	s.writing.Lock()
	defer s.writing.Unlock()
	fresh := make(map[string]*index, len(s.indexes))
	for name, x := range s.indexes {
		rebuilt, err := x.rebuilt(items)
		if err != nil {
			return err
		}
		fresh[name] = rebuilt
	}
	s.reading.Lock()
	defer s.reading.Unlock()
	s.items, s.indexes, s.resourceVersion = items, fresh, resourceVersion
	return nil
}

// rebuilt is an index with the same function over other objects.
func (x *index) rebuilt(items map[string]any) (*index, error) {
	fresh := newIndex(x.name, x.values)
	for key, object := range items {
		values, err := x.of(object)
		if err != nil {
			return nil, fmt.Errorf("store: object %q: %w", key, err)
		}
		fresh.insert(key, values)
	}
	return fresh, nil
}
