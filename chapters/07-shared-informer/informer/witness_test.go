package informer_test

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/cache"
)

// witness is a handler that holds each notification against what it was told before, against the informer's store, and
// against the collection.
type witness struct {
	collection   *collection
	store        cache.Indexer
	registration cache.ResourceEventHandlerRegistration
	calling      atomic.Int32 // calls of it that have not returned
	removed      atomic.Bool  // it is to hear nothing any more

	mu      sync.Mutex
	calls   int
	initial int            // adds of the initial list
	news    bool           // something else has come
	known   map[string]any // by key, as it was told
	wrong   []string
}

func newWitness(c *collection, store cache.Indexer) *witness {
	return &witness{collection: c, store: store, known: map[string]any{}}
}

// join adds a witness to an informer.
func join(t *testing.T, i cache.SharedIndexInformer, c *collection, resync time.Duration) *witness {
	t.Helper()
	w := newWitness(c, i.GetIndexer())
	registration, err := i.AddEventHandlerWithResyncPeriod(w, resync)
	if err != nil {
		t.Errorf("a handler could not join: %v", err)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.registration = registration
	return w
}

// OnAdd implements cache.ResourceEventHandler.
func (w *witness) OnAdd(object any, isInInitialList bool) {
	w.witness("add", object, func(key string) {
		if known := w.known[key]; known != nil {
			w.note("%s was added, and was known with version %d", key, versionOf(known))
		}
		if isInInitialList {
			w.initial++
		}
		if isInInitialList && w.news {
			w.note("%s is in the initial list, after something that is not", key)
		}
		w.news = w.news || !isInInitialList
		w.known[key] = object
	})
}

// OnUpdate implements cache.ResourceEventHandler.
func (w *witness) OnUpdate(old, object any) {
	w.witness("update", object, func(key string) {
		if known := w.known[key]; known != old {
			w.note("%s was updated, and the old one is not the one that was known: %v", key, known)
		}
		if versionOf(object) < versionOf(old) {
			w.note("%s was updated from version %d to %d", key, versionOf(old), versionOf(object))
		}
		w.news = true
		w.known[key] = object
	})
}

// OnDelete implements cache.ResourceEventHandler.
func (w *witness) OnDelete(object any) {
	w.witness("delete", object, func(key string) {
		known := w.known[key]
		if known == nil {
			w.note("%s was deleted, and was not known", key)
			return
		}
		if tombstone, ok := object.(cache.DeletedFinalStateUnknown); ok && tombstone.Obj != known {
			w.note("%s has a tombstone that does not hold the one that was known", key)
		}
		w.news = true
		delete(w.known, key)
	})
}

// witness makes the checks that are the same for every notification.
func (w *witness) witness(verb string, object any, check func(key string)) {
	calling := w.calling.Add(1)
	defer w.calling.Add(-1)
	w.mu.Lock()
	defer w.mu.Unlock()
	if calling != 1 {
		w.note("two calls at once")
	}
	if w.removed.Load() {
		w.note("a call after the end")
	}
	w.calls++
	key, err := cache.DeletionHandlingMetaNamespaceKeyFunc(object)
	if err != nil {
		w.note("%v", err)
		return
	}
	check(key)
	version := versionOf(object)
	stored, exists, _ := w.store.GetByKey(key)
	switch {
	case exists && versionOf(stored) < version, exists && verb == "delete" && versionOf(stored) == version:
		w.note("%s of %s at version %d, and the store has version %d", verb, key, version, versionOf(stored))
	case !exists && verb != "delete" && w.collection.deletion(key[len("default/"):]) < version:
		w.note("%s of %s at version %d, and the store does not have it", verb, key, version)
	}
}

// note remembers what is wrong, first. The caller holds the lock.
func (w *witness) note(format string, args ...any) {
	if len(w.wrong) < 5 {
		w.wrong = append(w.wrong, fmt.Sprintf(format, args...))
	}
}

// agree checks that nothing was wrong, and that it knows what the collection has now.
func (w *witness) agree(t *testing.T) {
	t.Helper()
	w.mu.Lock()
	defer w.mu.Unlock()
	require.Empty(t, w.wrong)
	known := map[string]int{}
	for key, object := range w.known {
		known[key] = versionOf(object)
	}
	require.Equal(t, w.collection.versions(), known, "what a handler knows after all, and what there is")
	require.True(t, w.registration.HasSynced(), "has not synced, after %d calls", w.calls)
}

// storeAgrees checks that a store has what the collection has.
func storeAgrees(t *testing.T, c *collection, store cache.Store) {
	t.Helper()
	stored := map[string]int{}
	for _, object := range store.List() {
		stored["default/"+object.(*corev1.ConfigMap).Name] = versionOf(object)
	}
	require.Equal(t, c.versions(), stored, "what the store has after all, and what there is")
}
