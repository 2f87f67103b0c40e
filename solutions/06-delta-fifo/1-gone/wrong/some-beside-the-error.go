// Breaks: When key returns an error, so does Tombstones, and no tombstones. errors.Is finds the error of key.
// Caught by: TestObjectsWithoutAKey
// Message: with no tombstones

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
	var gone []cache.DeletedFinalStateUnknown
	for _, k := range waiting {
		if delta := newest[k]; !listed[k] && delta.Type != cache.Deleted {
			gone = append(gone, cache.DeletedFinalStateUnknown{Key: k, Obj: delta.Object})
		}
	}
	if known == nil {
		return gone, err
	}
	for _, k := range known.ListKeys() {
		if _, waits := newest[k]; !waits && !listed[k] {
			gone = append(gone, cache.DeletedFinalStateUnknown{Key: k, Obj: lastKnown(known, k)})
		}
	}
	return gone, err // wrong: some of them
}

func newestOf(queued []cache.Delta, key cache.KeyFunc) (keys []string, newest map[string]cache.Delta, err error) {
	newest = map[string]cache.Delta{}
	for _, delta := range queued {
		k, err := keyOf(delta.Object, key)
		if err != nil {
			return keys, newest, err
		}
		if _, seen := newest[k]; !seen {
			keys = append(keys, k)
		}
		newest[k] = delta
	}
	return keys, newest, nil
}
