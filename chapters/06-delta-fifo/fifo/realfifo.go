package fifo

import (
	"k8s.io/client-go/tools/cache"
	"k8s.io/klog/v2"
)

var _ cache.QueueWithBatch = (*RealFIFO)(nil)
var _ cache.TransformingStore = (*RealFIFO)(nil)
var _ cache.DoneChecker = (*RealFIFO)(nil)
var _ cache.ReflectorBookmarkStore = (*RealFIFO)(nil)

// RealFIFO is a queue of deltas: each change has a place of its own, also the second deletion of an object that nobody
// has seen. It is safe for concurrent use; with UnlockWhileProcessing one goroutine pops.
//
// Upstream: cache.RealFIFO, in tools/cache/the_real_fifo.go.
type RealFIFO struct {
	queue[cache.Delta]

	options RealFIFOOptions
}

// RealFIFOOptions say which of two queues it is. With AtomicEvents, as informers have it, the queue says what happened
// (one ReplacedAll, one SyncAll), and its consumer compares that with the store. Without, the queue looks into the
// store, KnownObjects, and says it of each object (Replaced, Deleted, Sync).
//
// Upstream: cache.RealFIFOOptions.
type RealFIFOOptions struct {
	// Name is what Name returns and the log has, instead of RealFIFO.
	Name string
	// Logger is used instead of klog.Background(). The name is added to it.
	Logger *klog.Logger
	// KeyFunction names objects. Without it, cache.MetaNamespaceKeyFunc does.
	KeyFunction cache.KeyFunc
	// KnownObjects is what the consumer has seen, its store: needed without AtomicEvents, and forbidden with it, since
	// the store may change while the queue looks.
	KnownObjects cache.KeyListerGetter
	// Transformer is called with each object before it is queued, under the queue's lock, one at a time. An error is
	// that of the method that was called. Not called for tombstones and by Resync: those objects have passed it. It
	// has to leave an object its key.
	Transformer cache.TransformFunc
	// AtomicEvents has Replace and Resync queue one delta each.
	AtomicEvents bool
	// UnlockWhileProcessing lets others add while Pop and PopBatch process, unless two full batches wait already. It
	// needs AtomicEvents.
	UnlockWhileProcessing bool
	// EmitDeltaTypeBookmark has Bookmark queue a delta; otherwise it does nothing. It needs AtomicEvents: elsewhere
	// a re-list is many deltas, and no version is true between them.
	EmitDeltaTypeBookmark bool
	// Parts replaces pieces of the queue.
	Parts Parts
}

// check panics on what cannot be, and says what to do about it.
func (o RealFIFOOptions) check() {
	switch {
	case o.AtomicEvents && o.KnownObjects != nil:
		panic("fifo: a RealFIFO with AtomicEvents has no KnownObjects: leave them out, and let the consumer compare")
	case o.AtomicEvents:
	case o.KnownObjects == nil:
		panic("fifo: a RealFIFO needs KnownObjects, the consumer's store, or AtomicEvents")
	case o.UnlockWhileProcessing:
		panic("fifo: UnlockWhileProcessing needs AtomicEvents: the queue may not look at a store that is being changed")
	case o.EmitDeltaTypeBookmark:
		panic("fifo: EmitDeltaTypeBookmark needs AtomicEvents: no version is true between the deltas of one re-list")
	}
}

// NewRealFIFO makes an empty queue. It panics if the options exclude each other.
//
// Upstream: cache.NewRealFIFOWithOptions.
func NewRealFIFO(options RealFIFOOptions) *RealFIFO {
	options.check()
	q := &RealFIFO{options: options}
	q.init("RealFIFO", options.Name, options.Logger, options.KeyFunction, options.Transformer)
	if options.Parts.Gone == nil {
		q.options.Parts.Gone = GoneWith(q.logger)
	}
	if options.Parts.Batch == nil {
		q.options.Parts.Batch = distinct
	}
	return q
}

// Add queues an Added delta. An error is a cache.KeyError or the transformer's; nothing is queued then.
func (q *RealFIFO) Add(obj any) error { return q.change(cache.Added, obj) }

// Update queues an Updated delta; errors are those of Add.
func (q *RealFIFO) Update(obj any) error { return q.change(cache.Updated, obj) }

// Delete queues a Deleted delta of an object or a tombstone, known or not; errors are those of Add.
func (q *RealFIFO) Delete(obj any) error { return q.change(cache.Deleted, obj) }

func (q *RealFIFO) change(kind cache.DeltaType, obj any) error {
	q.lock.Lock()
	defer q.lock.Unlock()
	q.first.settle(0)
	return q.arrive(kind, obj)
}

// arrive queues a delta of an object that may have to be transformed. The key is not kept: it is asked for so that an
// object without one is refused here, and not found later, by somebody who can do nothing about it. The caller holds
// the lock.
func (q *RealFIFO) arrive(kind cache.DeltaType, obj any) error {
	if _, err := q.key(obj); err != nil {
		return err
	}
	obj, err := q.transformed(obj)
	if err != nil {
		return err
	}
	q.join(cache.Delta{Type: kind, Object: obj})
	return nil
}

// Bookmark queues the news that all changes up to a resourceVersion are in the queue, or does nothing (see
// EmitDeltaTypeBookmark). It returns nil, always.
//
// Upstream: cache.ReflectorBookmarkStore, in tools/cache/reflector.go.
func (q *RealFIFO) Bookmark(resourceVersion string) error {
	if !q.options.EmitDeltaTypeBookmark {
		return nil
	}
	q.lock.Lock()
	defer q.lock.Unlock()
	q.join(cache.Delta{Type: cache.Bookmark, Object: cache.BookmarkInfo{ResourceVersion: resourceVersion}})
	return nil
}

// Pop waits for a delta and calls process with it, as cache.Deltas of one. isInInitialList says that the first batch
// was not done. Whatever process returns, the delta has left the queue. Returns the delta, again as cache.Deltas of
// one, and process's error, or cache.ErrFIFOClosed.
//
// process runs under the queue's lock, and must not call the queue; with UnlockWhileProcessing it may run without.
//
// Upstream: RealFIFO.Pop. The first batch is done when its last delta has been processed.
func (q *RealFIFO) Pop(process cache.PopProcessFunc) (any, error) {
	q.lock.Lock()
	defer q.lock.Unlock()
	if err := q.wait(); err != nil {
		return nil, err
	}
	delta := cache.Deltas{q.waiting.all()[0]}
	return delta, q.process(1, func(isInInitialList bool) error { return process(delta, isInInitialList) })
}
