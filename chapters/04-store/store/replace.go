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
	fresh, err := built(s.indexes, items)
	if err != nil {
		return err
	}
	s.reading.Lock()
	defer s.reading.Unlock()
	s.items, s.indexes, s.resourceVersion = items, fresh, resourceVersion
	return nil
}

// built makes indexes of these names and functions over objects.
func built(wanted map[string]*index, items map[string]any) (map[string]*index, error) {
	indexes := make(map[string]*index, len(wanted))
	for name, x := range wanted {
		indexes[name] = newIndex(name, x.values)
	}
	for key, object := range items {
		for _, x := range indexes {
			values, err := x.of(object)
			if err != nil {
				return nil, fmt.Errorf("store: object %q: %w", key, err)
			}
			x.insert(key, values)
		}
	}
	return indexes, nil
}
