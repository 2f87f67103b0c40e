package store_test

import (
	"testing"

	"k8s.io/client-go/tools/cache"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/04-store/store"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/04-store/store/storetest"
)

// TestStore gives the store to the suite that takes its answers from cache.NewIndexer. Upstream passes it too, but for
// the map that GetIndexers returns: storetest's own tests show that.
func TestStore(t *testing.T) {
	storetest.Run(t, func(keyFunc cache.KeyFunc, indexers cache.Indexers) cache.Indexer {
		return store.New(keyFunc, indexers)
	})
}
