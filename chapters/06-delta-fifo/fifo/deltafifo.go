package fifo

import (
	"k8s.io/client-go/tools/cache"
	"k8s.io/klog/v2"
)

var _ cache.Queue = (*DeltaFIFO)(nil)
var _ cache.TransformingStore = (*DeltaFIFO)(nil)
var _ cache.DoneChecker = (*DeltaFIFO)(nil)

// DeltaFIFO is a queue of keys. A key waits once, however much happens to it, and has a list of all that did: Pop hands
// out the list. So changes of one key keep their order, and those of different keys do not. It is safe for concurrent
// use.
//
// Upstream: cache.DeltaFIFO, in tools/cache/delta_fifo.go. No informer makes one any more.
type DeltaFIFO struct {
	queue[string] // the keys

	options DeltaFIFOOptions
	deltas  map[string]cache.Deltas // at least one for each key in the line, and for no other
}

// DeltaFIFOOptions are all optional. Upstream: cache.DeltaFIFOOptions.
type DeltaFIFOOptions struct {
	// Name is what Name returns and the log has, instead of DeltaFIFO.
	Name string
	// Logger is used instead of klog.Background(). The name is added to it.
	Logger *klog.Logger
	// KeyFunction names objects. Without it, cache.MetaNamespaceKeyFunc does.
	KeyFunction cache.KeyFunc
	// KnownObjects is what the consumer has seen, its store. Replace finds in it what is gone, Resync repeats it, and
	// Delete ignores what is neither there nor in the queue. Without it, Replace looks at the queue alone, and Resync
	// does nothing.
	KnownObjects cache.KeyListerGetter
	// EmitDeltaTypeReplaced has Replace say Replaced of what is in the list. Otherwise it says Sync, as Resync does.
	EmitDeltaTypeReplaced bool
	// Transformer is called with each object before it is queued, under the queue's lock, one at a time. An error is
	// that of the method that was called. Not called for tombstones and by Resync: those objects have passed it. It
	// has to leave an object its key.
	Transformer cache.TransformFunc
	// Parts replaces pieces of the queue.
	Parts Parts
}

// NewDeltaFIFO makes an empty queue. Upstream: cache.NewDeltaFIFOWithOptions.
func NewDeltaFIFO(options DeltaFIFOOptions) *DeltaFIFO {
	q := &DeltaFIFO{options: options, deltas: map[string]cache.Deltas{}}
	q.init("DeltaFIFO", options.Name, options.Logger, options.KeyFunction, options.Transformer)
	if options.Parts.Gone == nil {
		q.options.Parts.Gone = GoneWith(q.logger)
	}
	return q
}

// KeyOf is the key of an object, of a tombstone, or of deltas. An error is a cache.KeyError.
//
// Upstream: DeltaFIFO.KeyOf, which returns the key function's error as it is.
func (q *DeltaFIFO) KeyOf(obj any) (string, error) { return q.key(obj) }

// Add queues an Added delta. An error is a cache.KeyError or the transformer's; nothing is queued then.
func (q *DeltaFIFO) Add(obj any) error { return q.change(cache.Added, obj) }

// Update queues an Updated delta; errors are those of Add.
func (q *DeltaFIFO) Update(obj any) error { return q.change(cache.Updated, obj) }

func (q *DeltaFIFO) change(kind cache.DeltaType, obj any) error {
	q.lock.Lock()
	defer q.lock.Unlock()
	q.first.settle(0)
	return q.arrive(kind, obj)
}

// Delete queues a Deleted delta of an object or a tombstone. Of a key that is neither in the queue nor known it queues
// nothing: a re-list has found it gone before. Errors are those of Add.
func (q *DeltaFIFO) Delete(obj any) error {
	key, err := q.key(obj)
	if err != nil {
		return err
	}
	q.lock.Lock()
	defer q.lock.Unlock()
	q.first.settle(0)
	if len(q.deltas[key]) == 0 && !q.mayBeKnown(key) {
		return nil
	}
	return q.arrive(cache.Deleted, obj)
}

// mayBeKnown is true in doubt: a deletion too many does less harm than one that is missing.
func (q *DeltaFIFO) mayBeKnown(key string) bool {
	if q.options.KnownObjects == nil {
		return false
	}
	_, exists, err := q.options.KnownObjects.GetByKey(key)
	return exists || err != nil
}

// arrive queues a delta of an object that may have to be transformed. The caller holds the lock.
func (q *DeltaFIFO) arrive(kind cache.DeltaType, obj any) error {
	key, err := q.key(obj)
	if err != nil {
		return err
	}
	if obj, err = q.transformed(obj); err != nil {
		return err
	}
	q.put(key, cache.Delta{Type: kind, Object: obj})
	return nil
}

// put adds a delta to those of its key, and the key to the line if it is not in it. The caller holds the lock.
func (q *DeltaFIFO) put(key string, delta cache.Delta) {
	before := q.deltas[key]
	q.deltas[key] = dedup(append(before, delta))
	if before == nil {
		q.join(key)
	}
}

// Pop waits for a key and calls process with its cache.Deltas, oldest first, under the queue's lock: nobody adds
// anything until process returns, and process must not call the queue. isInInitialList says that the first batch was
// not done. Whatever process returns, the deltas have left the queue. Returns the deltas and process's error, or
// cache.ErrFIFOClosed.
//
// Upstream: DeltaFIFO.Pop. The first batch is done when its last key is popped, before it is processed; HasSynced waits
// for the lock, and so for process, and Done does not.
func (q *DeltaFIFO) Pop(process cache.PopProcessFunc) (any, error) {
	q.lock.Lock()
	defer q.lock.Unlock()
	if err := q.wait(); err != nil {
		return nil, err
	}
	isInInitialList := !q.first.isDone()
	key := q.waiting.all()[0]
	q.waiting.leave(1)
	q.first.finish(q.first.take(1))
	deltas := q.deltas[key]
	delete(q.deltas, key)
	return deltas, process(deltas, isInInitialList)
}
