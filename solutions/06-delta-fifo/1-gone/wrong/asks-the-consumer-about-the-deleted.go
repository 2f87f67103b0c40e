// Misconception: what the consumer has is there.
// Caught by: TestDeletedAlready
// Message: the belief that what the consumer has is there.

//go:build wrong

package gone

import "k8s.io/client-go/tools/cache"

func Tombstones(
	queued []cache.Delta, known cache.KeyListerGetter, list []any, key cache.KeyFunc,
) ([]cache.DeletedFinalStateUnknown, error) {
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
		delta, waits := newest[k]
		if (!waits || delta.Type == cache.Deleted) && !listed[k] { // wrong: that deletion is to come
			gone = append(gone, cache.DeletedFinalStateUnknown{Key: k, Obj: lastKnown(known, k)})
		}
	}
	return gone, nil
}
