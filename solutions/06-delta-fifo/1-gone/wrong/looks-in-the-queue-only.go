// Misconception: the queue knows of everything that there is.
// Caught by: TestGoneFromTheQueueAndFromTheConsumer
// Message: the belief that the queue holds all that there is.

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
	// wrong: known is not asked
	return gone, nil
}
