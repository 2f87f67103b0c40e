// Package store keeps the objects of an informer: the copy of a collection that every handler, lister and controller
// of a program reads, while one goroutine writes it.
//
// [Store] implements client-go's cache.Indexer and cache.TransactionStore. Upstream's counterpart is made by
// cache.NewIndexer, in tools/cache/store.go and tools/cache/thread_safe_store.go.
//
// A store holds pointers and hands them out. Whoever receives an object reads it and nothing else; package mutation
// finds the objects for which somebody did not.
//
// Reading order: what a store is and its two locks (store.go), one index (index.go), how a change is planned and then
// made (change.go), what calls it (write.go, replace.go, transaction.go), what readers ask (read.go, query.go), indexes
// that come later (indexers.go), and the resourceVersion of the whole (version.go).
package store
