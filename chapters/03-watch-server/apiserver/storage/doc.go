// Package storage is what an API server keeps behind its HTTP handlers: the objects, one revision
// that counts every write to any of them, a window of the latest changes, and the watchers that
// wait for the next one.
//
// It plays the part of two things upstream: etcd, which holds the objects and the revision, and
// the watch cache (k8s.io/apiserver/pkg/storage/cacher), which holds the window and the watchers.
// Here both are under one lock, so that what a reader has to reason about is one order of writes.
//
// Reading order: object.go, store.go, history.go (the window), event.go, watcher.go; then query.go and
// index.go, which find whom a write concerns.
//
// Everything is in memory. When the process ends, the objects and the revision are gone.
package storage
