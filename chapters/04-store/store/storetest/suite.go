// Package storetest is what any implementation of cache.Indexer has to pass, for later chapters' tests, too.
package storetest

import (
	"testing"

	"k8s.io/client-go/tools/cache"
)

// Run runs the suite. ⟨to be written⟩
func Run(t *testing.T, new func(keyFunc cache.KeyFunc, indexers cache.Indexers) cache.Indexer) {}
