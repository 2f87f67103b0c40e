package fifo

import (
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/client-go/tools/cache"
	"k8s.io/klog/v2"
)

// Parts are pieces that a queue uses instead of its own, if they are there. DeltaFIFO has no batches, and leaves Batch
// alone.
type Parts struct {
	Gone  Gone
	Batch Batch
}

// Gone finds what a Replace has to delete: what is queued or known, and not in the new list. queued are the deltas that
// wait, the oldest first; of a DeltaFIFO, the newest one of each key. known may be nil. key is the queue's: it knows
// tombstones, and its errors are cache.KeyErrors. Gone returns a tombstone for each key, which holds the last state
// that anybody knows, or nil if nobody does. An error is key's. Called under the queue's lock, and what it is given is
// the queue's.
type Gone = func(queued []cache.Delta, known cache.KeyListerGetter, list []any, key cache.KeyFunc) (
	[]cache.DeletedFinalStateUnknown, error)

// GoneWith is the book's [Gone]. What the queue says of a key is newer than what is known, so that is asked only for
// keys that are not queued. A key whose newest delta is a deletion needs no second one.
//
// Upstream: reconcileReplacement, in tools/cache/the_real_fifo.go, and DeltaFIFO.Replace.
func GoneWith(logger klog.Logger) Gone {
	return func(queued []cache.Delta, known cache.KeyListerGetter, list []any, key cache.KeyFunc) (
		tombstones []cache.DeletedFinalStateUnknown, err error) {
		listed, err := keysOf(list, key)
		if err != nil {
			return nil, err
		}
		keys, newest, err := newestOf(queued, key)
		if err != nil {
			return nil, err
		}
		for _, k := range keys {
			if !listed[k] && newest[k].Type != cache.Deleted {
				tombstones = append(tombstones, tombstone(k, newest[k].Object))
			}
		}
		if known == nil {
			return tombstones, nil
		}
		for _, k := range known.ListKeys() {
			if _, isQueued := newest[k]; isQueued || listed[k] {
				continue
			}
			obj, _ := lookUp(logger, known, k) // a deletion without an object is better than none
			tombstones = append(tombstones, tombstone(k, obj))
		}
		return tombstones, nil
	}
}

func keysOf(list []any, key cache.KeyFunc) (map[string]bool, error) {
	keys := make(map[string]bool, len(list))
	for _, obj := range list {
		k, err := key(obj)
		if err != nil {
			return nil, err
		}
		keys[k] = true
	}
	return keys, nil
}

// newestOf finds the newest delta of each key, and the order of their oldest ones.
func newestOf(queued []cache.Delta, key cache.KeyFunc) (keys []string, newest map[string]cache.Delta, err error) {
	newest = map[string]cache.Delta{}
	for _, delta := range queued {
		k, err := key(delta.Object)
		if err != nil {
			return nil, nil, err
		}
		if _, seen := newest[k]; !seen {
			keys = append(keys, k)
		}
		newest[k] = delta
	}
	return keys, newest, nil
}

// tombstone holds an object, and no other tombstone.
func tombstone(key string, obj any) cache.DeletedFinalStateUnknown {
	if inner, ok := obj.(cache.DeletedFinalStateUnknown); ok {
		obj = inner.Obj
	}
	return cache.DeletedFinalStateUnknown{Key: key, Obj: obj}
}

// lookUp finds a known object. If it does not, the log says so.
func lookUp(logger klog.Logger, known cache.KeyListerGetter, key string) (obj any, found bool) {
	obj, exists, err := known.GetByKey(key)
	if err != nil || !exists {
		utilruntime.HandleErrorWithLogger(logger, err, "A known object was not found", "key", key)
		return nil, false
	}
	return obj, true
}
