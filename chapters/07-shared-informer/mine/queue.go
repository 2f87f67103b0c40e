package main

import (
	"errors"
	"fmt"
	"sync"

	"k8s.io/client-go/tools/cache"

	batches "github.com/controllers-from-scratch/controllers-from-scratch/chapters/06-delta-fifo/exercises/3-batches"
)

// most deltas are in a batch.
const most = 100

// myQueue is a cache.Queue on the reader's Queue. It knows what the informer asks for: atomic lists, resyncs and
// bookmarks, and batches.
type myQueue struct {
	deltas *batches.Queue
	key    cache.KeyFunc

	once   sync.Once
	synced chan struct{} // closed when the reader's Queue has synced
	closed sync.Once
}

var _ cache.QueueWithBatch = (*myQueue)(nil)

func newQueue(o cache.RealFIFOOptions) cache.Queue {
	if o.Transformer != nil || !o.AtomicEvents {
		panic("mine runs an informer without a transformer, whose lists are one delta each")
	}
	return &myQueue{deltas: batches.New(most), key: cache.DeletionHandlingMetaNamespaceKeyFunc,
		synced: make(chan struct{})}
}

func (q *myQueue) add(kind batches.Type, key string, object any) {
	q.deltas.Add(batches.Delta{Type: kind, Key: key, Object: object})
	q.look()
}

func (q *myQueue) addObject(kind batches.Type, object any) error {
	key, err := q.key(object)
	if err != nil {
		return cache.KeyError{Obj: object, Err: err}
	}
	q.add(kind, key, object)
	return nil
}

// Add implements cache.ReflectorStore, as do the next five.
func (q *myQueue) Add(object any) error { return q.addObject(batches.Added, object) }

// Update is told of what has changed.
func (q *myQueue) Update(object any) error { return q.addObject(batches.Updated, object) }

// Delete is told of what is gone.
func (q *myQueue) Delete(object any) error { return q.addObject(batches.Deleted, object) }

// Replace brings a list.
func (q *myQueue) Replace(list []any, version string) error {
	q.add(batches.ReplacedAll, "", cache.ReplacedAllInfo{ResourceVersion: version, Objects: list})
	return nil
}

// Resync has all objects looked at again.
func (q *myQueue) Resync() error {
	q.add(batches.SyncAll, "", cache.SyncAllInfo{})
	return nil
}

// Bookmark brings a resourceVersion. It is looked up at run time, and in no interface.
func (q *myQueue) Bookmark(version string) error {
	q.add(batches.Bookmark, "", cache.BookmarkInfo{ResourceVersion: version})
	return nil
}

// PopBatch implements cache.QueueWithBatch. A batch of one is processed by single, as by client-go's RealFIFO.
func (q *myQueue) PopBatch(batch cache.ProcessBatchFunc, single cache.PopProcessFunc) error {
	defer q.look()
	err := q.deltas.PopBatch(func(popped []batches.Delta) error {
		isInInitialList := !q.deltas.HasSynced()
		deltas := make(cache.Deltas, len(popped))
		for i, d := range popped {
			deltas[i] = cache.Delta{Type: cache.DeltaType(d.Type), Object: d.Object}
		}
		if len(deltas) == 1 {
			return single(deltas, isInInitialList)
		}
		return batch(deltas, isInInitialList)
	})
	if errors.Is(err, batches.ErrClosed) {
		return cache.ErrFIFOClosed
	}
	return err
}

// Pop implements cache.Queue. The informer asks for batches.
func (q *myQueue) Pop(process cache.PopProcessFunc) (any, error) {
	return nil, q.PopBatch(func(deltas []cache.Delta, isInInitialList bool) (err error) {
		for _, d := range deltas {
			err = errors.Join(err, process(cache.Deltas{d}, isInInitialList))
		}
		return err
	}, process)
}

// look notices that the reader's Queue has synced, which can be asked and not waited for.
func (q *myQueue) look() {
	if q.deltas.HasSynced() {
		q.once.Do(func() { close(q.synced) })
	}
}

// HasSynced implements cache.Queue.
func (q *myQueue) HasSynced() bool { return cache.IsDone(q.HasSyncedChecker()) }

// HasSyncedChecker implements cache.Queue.
func (q *myQueue) HasSyncedChecker() cache.DoneChecker { return checker{q.synced} }

// Close implements cache.Queue. The reader's is closed once.
func (q *myQueue) Close() { q.closed.Do(q.deltas.Close) }

type checker struct{ done <-chan struct{} }

func (c checker) Name() string { return fmt.Sprintf("your %T", (*batches.Queue)(nil)) }

func (c checker) Done() <-chan struct{} { return c.done }
