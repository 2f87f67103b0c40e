package store

import "k8s.io/apimachinery/pkg/api/meta"

// LastStoreSyncResourceVersion says which resourceVersion the store is at: that of the last object that came or went,
// of the last Replace or of the last Bookmark, whichever was last. It is "" if there was none of these. Nothing is
// compared: the stream's order is the order.
//
// Upstream: cache.Store.LastStoreSyncResourceVersion, which is "" if the feature gate AtomicFIFO is off.
func (s *Store) LastStoreSyncResourceVersion() string {
	s.reading.RLock()
	defer s.reading.RUnlock()
	return s.resourceVersion
}

// Bookmark moves the store to a resourceVersion without a change.
//
// Upstream: cache.Store.Bookmark.
func (s *Store) Bookmark(resourceVersion string) {
	s.writing.Lock()
	defer s.writing.Unlock()
	s.reading.Lock()
	defer s.reading.Unlock()
	s.resourceVersion = resourceVersion
}

// versionOf is an object's resourceVersion. What is no API object has none.
func versionOf(object any) (resourceVersion string, known bool) {
	m, err := meta.Accessor(object)
	if err != nil {
		return "", false
	}
	return m.GetResourceVersion(), true
}
