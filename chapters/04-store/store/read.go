package store

// Get returns what is under the object's key. An error says that the object has no key.
//
// Upstream: cache.Store.Get.
func (s *Store) Get(object any) (item any, exists bool, err error) {
	key, err := s.key(object)
	if err != nil {
		return nil, false, err
	}
	return s.GetByKey(key)
}

// GetByKey returns what is under a key. The error is always nil.
//
// Upstream: cache.Store.GetByKey.
func (s *Store) GetByKey(key string) (item any, exists bool, err error) {
	s.reading.RLock()
	defer s.reading.RUnlock()
	item, exists = s.items[key]
	return item, exists, nil
}

// List returns all objects, in no order. The slice is the caller's, the objects are the store's.
//
// Upstream: cache.Store.List.
func (s *Store) List() []any {
	s.reading.RLock()
	defer s.reading.RUnlock()
	list := make([]any, 0, len(s.items))
	for _, item := range s.items {
		list = append(list, item)
	}
	return list
}

// ListKeys returns the keys of all objects, in no order.
//
// Upstream: cache.Store.ListKeys.
func (s *Store) ListKeys() []string {
	s.reading.RLock()
	defer s.reading.RUnlock()
	keys := make([]string, 0, len(s.items))
	for key := range s.items {
		keys = append(keys, key)
	}
	return keys
}
