// Package fifo is the queue between a reflector, which writes what it hears of a collection, and the one goroutine
// that keeps a store and calls handlers. There are two.
//
// [DeltaFIFO] gathers what happens to a key until the key's turn comes, and hands it out together. It was every
// informer's queue until 2025. [RealFIFO] keeps each change in its place, hands out several of different keys as a
// batch, and can say a whole list, a resync or a bookmark in one delta. It is every informer's queue since.
//
// Both implement client-go's cache.Queue, cache.TransformingStore and cache.DoneChecker, and hand out cache.Delta, so
// that what reads client-go's queues reads these. Upstream's counterparts have the same names, in
// tools/cache/delta_fifo.go and tools/cache/the_real_fifo.go.
//
// Reading order: a line that elements join and leave (line.go); what the two queues share: locking, waiting and
// closing (queue.go), and when the first batch is done (synced.go); then DeltaFIFO: its deltas by key (deltafifo.go)
// and which of them are one (dedup.go); then RealFIFO: one delta after the other (realfifo.go), many at once
// (batch.go), and processing without the lock (unlocked.go); then what a re-list has to delete (gone.go), Replace of
// both (replace.go), and Resync of both (resync.go).
//
// What upstream's queues have and these have not: the metrics and the Identifier of RealFIFO, the traces of slow
// processing of both, the constructors NewDeltaFIFO(keyFunc, knownObjects) and NewRealFIFO(keyFunc, knownObjects,
// transformer) of earlier versions, Delta and Deltas as objects of a RealFIFO's methods, and errors for states that
// cannot be. What these have and upstream's have not: [Parts]. What they do otherwise is in upstream_test.go, a test
// for each.
package fifo
