package fifo

import (
	"fmt"

	"k8s.io/client-go/tools/cache"
)

// Replace queues a delta for each object of a list, Replaced or Sync, and then a Deleted delta with a tombstone for
// each key that is queued or known and not in the list. A key whose last delta is a deletion already needs no other.
// The resourceVersion is not looked at. An error is a cache.KeyError or wraps the transformer's; objects before the one
// that failed are queued then, and deletions are not.
//
// Upstream: DeltaFIFO.Replace.
func (q *DeltaFIFO) Replace(list []any, _ string) error {
	q.lock.Lock()
	defer q.lock.Unlock()
	listed := make(map[string]bool, len(list))
	for _, obj := range list {
		key, err := q.keyOf(obj)
		if err != nil {
			return cache.KeyError{Obj: obj, Err: err}
		}
		listed[key] = true
		if err := q.arrive(key, q.replacedType, obj); err != nil {
			return fmt.Errorf("fifo: Replace: object %q: %w", key, err)
		}
	}
	for _, gone := range q.gone(q.queued, q.known, listed) {
		q.put(gone.Key, cache.Delta{Type: cache.Deleted, Object: gone})
	}
	q.first.settle(q.waiting.len())
	return nil
}

// queued yields the deltas that wait, key by key.
func (q *DeltaFIFO) queued(yield func(string, cache.Delta) bool) {
	for _, key := range q.waiting.all() {
		for _, delta := range q.deltas[key] {
			if !yield(key, delta) {
				return
			}
		}
	}
}

// Replace of an atomic queue queues one ReplacedAll delta, with the list, which is the queue's from then on (or, behind
// a transformer, a list of what that made of them), and its resourceVersion. An error is the transformer's; nothing is
// queued then.
//
// Another queue queues first a Deleted delta with a tombstone for each key that is queued or known and not in the list,
// unless the last delta of that key is a deletion; then a Replaced delta for each object of the list. A cache.KeyError
// comes before anything is queued. Another error wraps the transformer's; deletions and objects before the one that
// failed are queued then.
//
// Upstream: RealFIFO.Replace.
func (q *RealFIFO) Replace(list []any, resourceVersion string) error {
	q.lock.Lock()
	defer q.lock.Unlock()
	replace := q.replaceEach
	if q.atomic {
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
	listed := make(map[string]bool, len(list))
	for _, obj := range list {
		key, err := q.keyOf(obj)
		if err != nil {
			return cache.KeyError{Obj: obj, Err: err}
		}
		listed[key] = true
	}
	keys, err := q.keys()
	if err != nil {
		return err
	}
	queued := func(yield func(string, cache.Delta) bool) {
		for i, delta := range q.waiting.all() {
			if !yield(keys[i], delta) {
				return
			}
		}
	}
	for _, gone := range q.gone(queued, q.known, listed) {
		q.join(cache.Delta{Type: cache.Deleted, Object: gone})
	}
	for _, obj := range list {
		if err := q.arrive(cache.Replaced, obj); err != nil {
			return fmt.Errorf("fifo: Replace: %w", err)
		}
	}
	return nil
}

// keys are those of the deltas that wait. A transformer can have made an object of which it cannot be told.
func (q *RealFIFO) keys() ([]string, error) {
	keys := make([]string, q.waiting.len())
	for i, delta := range q.waiting.all() {
		key, err := q.keyOf(delta.Object)
		if err != nil {
			return nil, cache.KeyError{Obj: delta.Object, Err: err}
		}
		keys[i] = key
	}
	return keys, nil
}
