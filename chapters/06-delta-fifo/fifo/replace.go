package fifo

import (
	"fmt"

	"k8s.io/client-go/tools/cache"
)

// Replace queues a delta for each object of a list, Replaced or Sync, and then a Deleted delta with a tombstone for
// each key that is queued or known and not in the list. A key whose newest delta is a deletion already needs no other.
// The resourceVersion is not looked at. An error is a cache.KeyError or wraps the transformer's; objects before the one
// that failed are queued then, and deletions are not.
//
// Upstream: DeltaFIFO.Replace.
func (q *DeltaFIFO) Replace(list []any, _ string) error {
	q.lock.Lock()
	defer q.lock.Unlock()
	kind := cache.Sync
	if q.options.EmitDeltaTypeReplaced {
		kind = cache.Replaced
	}
	for _, obj := range list {
		if err := q.arrive(kind, obj); err != nil {
			return fmt.Errorf("fifo: Replace: %w", err)
		}
	}
	gone, err := q.options.Parts.Gone(q.newest(), q.options.KnownObjects, list, q.key)
	if err != nil {
		return err
	}
	for _, tombstone := range gone {
		q.put(tombstone.Key, cache.Delta{Type: cache.Deleted, Object: tombstone})
	}
	q.first.settle(q.waiting.len())
	return nil
}

// newest are the newest deltas of the keys, in the order of the line.
func (q *DeltaFIFO) newest() []cache.Delta {
	newest := make([]cache.Delta, q.waiting.len())
	for i, key := range q.waiting.all() {
		newest[i] = *q.deltas[key].Newest()
	}
	return newest
}

// Replace of an atomic queue queues one ReplacedAll delta, with the list, which is the queue's from then on (or, behind
// a transformer, a list of what that made of them), and its resourceVersion. An error is the transformer's; nothing is
// queued then.
//
// Another queue queues first a Deleted delta with a tombstone for each key that is queued or known and not in the list,
// unless the newest delta of that key is a deletion; then a Replaced delta for each object of the list. A
// cache.KeyError comes before anything is queued. Another error wraps the transformer's; deletions and objects before
// the one that failed are queued then.
//
// Upstream: RealFIFO.Replace.
func (q *RealFIFO) Replace(list []any, resourceVersion string) error {
	q.lock.Lock()
	defer q.lock.Unlock()
	replace := q.replaceEach
	if q.options.AtomicEvents {
		replace = q.replaceAll
	}
	if err := replace(list, resourceVersion); err != nil {
		return err
	}
	q.first.settle(q.waiting.len())
	return nil
}

func (q *RealFIFO) replaceAll(list []any, resourceVersion string) error {
	if q.transform != nil {
		transformed := make([]any, len(list))
		for i, obj := range list {
			var err error
			if transformed[i], err = q.transform(obj); err != nil {
				return err
			}
		}
		list = transformed
	}
	q.join(cache.Delta{Type: cache.ReplacedAll,
		Object: cache.ReplacedAllInfo{ResourceVersion: resourceVersion, Objects: list}})
	return nil
}

func (q *RealFIFO) replaceEach(list []any, _ string) error {
	gone, err := q.options.Parts.Gone(q.waiting.all(), q.options.KnownObjects, list, q.key)
	if err != nil {
		return err
	}
	for _, tombstone := range gone {
		q.join(cache.Delta{Type: cache.Deleted, Object: tombstone})
	}
	for _, obj := range list {
		if err := q.arrive(cache.Replaced, obj); err != nil {
			return fmt.Errorf("fifo: Replace: %w", err)
		}
	}
	return nil
}
