package fifo

import (
	"iter"

	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/client-go/tools/cache"
	"k8s.io/klog/v2"
)

// Parts are pieces that a queue uses instead of its own, if they are there. DeltaFIFO has no batches.
type Parts struct {
	Gone  Gone
	Batch Batch
}

// Gone finds what a Replace has to delete: what is in the queue or known, but not in the new list. queued are the
// deltas that wait, each with its key, those of one key oldest first, and may be ranged over more than once; known may
// be nil; listed has the keys of the new list. It returns a tombstone for each, which holds the last state that is
// known, or nil if none is. Called under the queue's lock.
type Gone = func(queued iter.Seq2[string, cache.Delta], known cache.KeyListerGetter,
	listed map[string]bool) []cache.DeletedFinalStateUnknown

// goneWith is the book's [Gone]. What the queue says of a key is newer than what is known, so that is asked only for
// keys that are not queued. A key whose last delta is a deletion needs no second one.
//
// Upstream: reconcileReplacement, in tools/cache/the_real_fifo.go, and DeltaFIFO.Replace.
func goneWith(logger klog.Logger) Gone {
	return func(queued iter.Seq2[string, cache.Delta], known cache.KeyListerGetter,
		listed map[string]bool) (tombstones []cache.DeletedFinalStateUnknown) {
		var keys []string
		last := map[string]cache.Delta{}
		for key, delta := range queued {
			if _, seen := last[key]; !seen {
				keys = append(keys, key)
			}
			last[key] = delta
		}
		for _, key := range keys {
			if !listed[key] && last[key].Type != cache.Deleted {
				tombstones = append(tombstones, tombstone(key, last[key].Object))
			}
		}
		if known == nil {
			return tombstones
		}
		for _, key := range known.ListKeys() {
			if _, isQueued := last[key]; isQueued || listed[key] {
				continue
			}
			obj, _ := lookUp(logger, known, key) // a deletion without an object is better than none
			tombstones = append(tombstones, tombstone(key, obj))
		}
		return tombstones
	}
}

// tombstone holds an object, and no other tombstone.
func tombstone(key string, obj any) cache.DeletedFinalStateUnknown {
	if inner, ok := obj.(cache.DeletedFinalStateUnknown); ok {
		obj = inner.Obj
	}
	return cache.DeletedFinalStateUnknown{Key: key, Obj: obj}
}

// lookUp finds a known object. The log says why one was not found.
func lookUp(logger klog.Logger, known cache.KeyListerGetter, key string) (obj any, found bool) {
	obj, exists, err := known.GetByKey(key)
	switch {
	case err != nil:
		utilruntime.HandleErrorWithLogger(logger, err, "A known object could not be looked up", "key", key)
		return nil, false
	case !exists:
		logger.Info("A known object was not found", "key", key)
		return nil, false
	}
	return obj, true
}
