// Misconception: the consumer knows of everything that there is.
// Caught by: TestGoneFromTheQueueAndFromTheConsumer
// Message: the belief that the consumer has all that there is.

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
	_, newest, err := newestOf(queued, key)
	if err != nil {
		return nil, err
	}
	var gone []cache.DeletedFinalStateUnknown
	if known == nil {
		return gone, nil
	}
	for _, k := range known.ListKeys() {
		delta, waits := newest[k]
		if listed[k] || waits && delta.Type == cache.Deleted {
			continue
		}
		last := delta.Object
		if !waits {
			last = lastKnown(known, k)
		}
		gone = append(gone, cache.DeletedFinalStateUnknown{Key: k, Obj: last}) // wrong: only what the consumer has
	}
	return gone, nil
}
