package fifo

import (
	"slices"

	"k8s.io/client-go/tools/cache"
)

// batchSize is how many deltas a batch has at most. Upstream: defaultBatchSize, in tools/cache/the_real_fifo.go.
const batchSize = 1000

// Batch says how many of the deltas at the front of a queue are processed together. waiting holds at least one delta
// and at most a full batch; what is waiting after the first batch is not shown before that is popped. The answer is at
// least 1. key is the queue's: it knows tombstones. Called under the queue's lock; waiting stays the queue's.
type Batch = func(waiting []cache.Delta, key cache.KeyFunc) int

// distinct takes deltas while their keys differ: a consumer that makes a transaction of a batch sees each object once.
// Deltas about everything (ReplacedAll, SyncAll, Bookmark) go alone. One whose key cannot be told ends a batch, in it.
//
// Upstream: the loop in RealFIFO.PopBatch.
func distinct(waiting []cache.Delta, key cache.KeyFunc) int {
	if len(waiting) == 1 {
		return 1
	}
	seen := map[string]bool{}
	for i, delta := range waiting {
		if !isOfOneObject(delta.Type) {
			return max(i, 1)
		}
		k, err := key(delta.Object)
		switch {
		case err != nil:
			return i + 1
		case seen[k]:
			return i
		}
		seen[k] = true
	}
	return len(waiting)
}

func isOfOneObject(kind cache.DeltaType) bool {
	switch kind {
	case cache.Added, cache.Updated, cache.Deleted, cache.Replaced, cache.Sync:
		return true
	}
	return false
}

// PopBatch waits for a delta, and takes as many as make a batch: up to a thousand, with different keys, in order. It
// calls processBatch with two or more, and processSingle with one. The first batch of a queue, and what comes after it,
// are never in one batch of deltas. Everything else is as in [RealFIFO.Pop].
//
// Upstream: cache.QueueWithBatch, in tools/cache/fifo.go.
func (q *RealFIFO) PopBatch(processBatch cache.ProcessBatchFunc, processSingle cache.PopProcessFunc) error {
	q.lock.Lock()
	defer q.lock.Unlock()
	if err := q.wait(); err != nil {
		return err
	}
	limit := min(q.waiting.len(), batchSize)
	if q.first.waiting > 0 {
		limit = min(limit, q.first.waiting)
	}
	waiting := q.waiting.all()[:limit]
	deltas := slices.Clone(waiting[:q.options.Parts.Batch(waiting, q.key)])
	return q.process(len(deltas), func(isInInitialList bool) error {
		if len(deltas) == 1 {
			return processSingle(cache.Deltas(deltas), isInInitialList)
		}
		return processBatch(deltas, isInInitialList)
	})
}
