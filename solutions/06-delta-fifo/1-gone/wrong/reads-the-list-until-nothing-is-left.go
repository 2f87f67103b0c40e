// Breaks: key is called with each object in list and in queued, also where nothing can be gone, and maybe more than
// Caught by: TestObjectsWithoutAKey
// Message: list has default/b v1, none v1; key returns an error

//go:build wrong

package gone

import "k8s.io/client-go/tools/cache"

func Tombstones(
	queued []cache.Delta, known cache.KeyListerGetter, list []any, key cache.KeyFunc,
) ([]cache.DeletedFinalStateUnknown, error) {
	waiting, newest, err := newestOf(queued, key)
	if err != nil {
		return nil, err
	}
	there := map[string]any{}
	for k, delta := range newest {
		if delta.Type != cache.Deleted {
			there[k] = delta.Object
		}
	}
	if known != nil {
		for _, k := range known.ListKeys() {
			if _, waits := newest[k]; !waits {
				waiting = append(waiting, k)
				there[k] = lastKnown(known, k)
			}
		}
	}
	for _, object := range list {
		k, err := key(object)
		if err != nil {
			return nil, err
		}
		delete(there, k)
		if len(there) == 0 {
			break // wrong: a later object may have no key
		}
	}
	var gone []cache.DeletedFinalStateUnknown
	for _, k := range waiting {
		if object, ok := there[k]; ok {
			gone = append(gone, cache.DeletedFinalStateUnknown{Key: k, Obj: object})
		}
	}
	return gone, nil
}
