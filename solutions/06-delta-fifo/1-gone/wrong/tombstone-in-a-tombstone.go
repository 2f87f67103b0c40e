// Misconception: the object of a delta is an object.
// Caught by: TestDeletedAlready
// Message: the belief that a tombstone is an object like others. A handler

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
		delta := newest[k]
		_, tombstone := delta.Object.(cache.DeletedFinalStateUnknown)
		if !listed[k] && (delta.Type != cache.Deleted || tombstone) { // wrong: a tombstone of a tombstone
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
}
