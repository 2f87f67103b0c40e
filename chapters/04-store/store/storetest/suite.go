// Package storetest is the suite that any store with indexes has to pass: chapter 04's, a reader's, the one inside a
// later chapter's informer. What a store has to do is what [cache.NewIndexer] does.
//
// Reading order: suite.go, scene.go, question.go, write.go, sequential.go, concurrent.go, history.go.
package storetest

import (
	"testing"

	"k8s.io/client-go/tools/cache"
)

// New makes an empty store. The indexers are the store's own from then on, as they are for [cache.NewIndexer].
type New = func(keyFunc cache.KeyFunc, indexers cache.Indexers) cache.Indexer

// Run runs the whole suite: [Sequential], [Concurrent] and [Indexers]. Under the race detector it says more. A store
// that is no [cache.TransactionStore] is tried without transactions.
//
// No index function of the suite fails for an object that is stored: what a store does then is its own affair.
func Run(t *testing.T, newStore New) {
	t.Run("sequential", func(t *testing.T) { Sequential(t, newStore) })
	t.Run("concurrent", func(t *testing.T) { Concurrent(t, newStore) })
	t.Run("indexers", func(t *testing.T) { Indexers(t, newStore) })
}
