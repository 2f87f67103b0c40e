// Misconception: where the newest delta holds nil, the consumer has the last known state.
// Caught by: TestLastKnownState
// Message: the belief that the consumer has the last known state.

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
			last := delta.Object
			if last == nil && known != nil {
				last = lastKnown(known, k) // wrong: the delta is newer, and says nil
			}
			gone = append(gone, cache.DeletedFinalStateUnknown{Key: k, Obj: last})
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
