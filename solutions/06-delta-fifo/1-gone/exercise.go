// Package gone finds out what is gone. A list says only what there is; who knows of more has to be told.
package gone

import "k8s.io/client-go/tools/cache"

//solution:forbidden k8s.io/client-go/tools/cache.NewDeltaFIFO
//solution:forbidden k8s.io/client-go/tools/cache.NewDeltaFIFOWithOptions
//solution:forbidden k8s.io/client-go/tools/cache.NewRealFIFO
//solution:forbidden k8s.io/client-go/tools/cache.NewRealFIFOWithOptions

// Tombstones returns the deletions that a queue of deltas has to report when a new list replaces all that was
// before. Nobody watched them happen, so each is a tombstone, a cache.DeletedFinalStateUnknown: it holds the
// key and the last state that anybody knows.
//
// queued are the deltas that wait, the oldest first. Their types are Added, Updated, Replaced, Sync and
// Deleted, and those of type Deleted may hold tombstones. known is what the consumer has, which is what it
// has processed; it is nil when nobody knows that. ListKeys names each of its keys once. list holds objects, and no
// tombstones.
//
//   - The key of an object is what key returns for it, and objects with the same key are the same object.
//     The key of a tombstone is its Key. A key may be any text, also "".
//   - key is called with each object in list and in queued, also where nothing can be gone, and maybe more than
//     once; but not with tombstones, and with nothing else. When it has returned an error, it need not be
//     called again.
//   - The keys that are there are those whose newest delta is not of type Deleted and, of the keys that have
//     no delta, those that known has.
//   - Each key that is there and is not in list gets one tombstone, and no other key gets any. When list has
//     no objects, also as nil, that is each key that is there.
//   - Obj is the object of the key's newest delta, whatever known has for it. For a key without a delta it is
//     what GetByKey returns for it; but nil if GetByKey returns an error, or false.
//   - First come the keys that have deltas, in the order of each one's oldest delta, then the others in the
//     order of ListKeys.
//   - When key returns an error, so does Tombstones, and no tombstones. errors.Is finds the error of key.
//   - When Tombstones has returned, also with an error, neither queued nor list is changed, nor the room
//     behind them.
//   - An object is whatever key takes, also nil, and also one that can't be compared.
func Tombstones(
	queued []cache.Delta, known cache.KeyListerGetter, list []any, key cache.KeyFunc,
) ([]cache.DeletedFinalStateUnknown, error) {
	//solution:begin
	//todo: what is there, and what of it is not in the list?
	//stub: return nil, nil
	listed, err := keysOf(list, key)
	if err != nil {
		return nil, err
	}
	waiting, newest, err := newestOf(queued, key)
	if err != nil {
		return nil, err
	}
	var gone []cache.DeletedFinalStateUnknown
	for _, k := range waiting {
		if delta := newest[k]; !listed[k] && delta.Type != cache.Deleted {
			gone = append(gone, cache.DeletedFinalStateUnknown{Key: k, Obj: delta.Object})
		}
	}
	if known == nil {
		return gone, nil
	}
	for _, k := range known.ListKeys() {
		if _, waits := newest[k]; !waits && !listed[k] {
			gone = append(gone, cache.DeletedFinalStateUnknown{Key: k, Obj: lastKnown(known, k)})
		}
	}
	return gone, nil
	//solution:end
}

//solution:begin

// keysOf is the set of the keys of a list.
func keysOf(list []any, key cache.KeyFunc) (map[string]bool, error) {
	keys := map[string]bool{}
	for _, object := range list {
		k, err := key(object)
		if err != nil {
			return nil, err
		}
		keys[k] = true
	}
	return keys, nil
}

// newestOf finds each key's newest delta, and the order in which the keys came.
func newestOf(queued []cache.Delta, key cache.KeyFunc) (keys []string, newest map[string]cache.Delta, err error) {
	newest = map[string]cache.Delta{}
	for _, delta := range queued {
		k, err := keyOf(delta.Object, key)
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

// keyOf is the key of an object, or of a tombstone, which key does not take.
func keyOf(object any, key cache.KeyFunc) (string, error) {
	if tombstone, ok := object.(cache.DeletedFinalStateUnknown); ok {
		return tombstone.Key, nil
	}
	return key(object)
}

// lastKnown is the consumer's object, or nil: the key is gone all the same.
func lastKnown(known cache.KeyListerGetter, key string) any {
	object, found, err := known.GetByKey(key)
	if err != nil || !found {
		return nil
	}
	return object
}

//solution:end
