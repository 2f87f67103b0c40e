// Package informer keeps a store equal to a collection on the API server, and tells any number of handlers what
// changes: one list, one watch, one queue and one store for all of them.
//
// [SharedIndexInformer] implements client-go's cache.SharedIndexInformer. Upstream's counterpart is made by
// cache.NewSharedIndexInformer, in tools/cache/shared_informer.go. The store is chapter 04's, the reflector chapter
// 05's, the queue chapter 06's, and any of them can be another one: see [Parts].
//
// Reading order: what an informer is (informer.go, options.go) and its life (run.go); then the way of a change: out of
// the queue (controller.go), into the store (deltas.go, batch.go, replaced.go), to all handlers (distributor.go,
// notification.go), and to one of them (registration.go, buffer.go); then handlers that come and go (handlers.go), when
// they have synced (synced.go), and who wants a resync (resync.go).
//
// What upstream's informer has and this one has not: metrics and the Identifier, the trace of a handler that is slow
// while more than 1024 notifications wait, and names of handlers that are more than their type. What this one has and
// upstream's has not: [Parts], a clock, and [Registration.Waiting].
package informer
