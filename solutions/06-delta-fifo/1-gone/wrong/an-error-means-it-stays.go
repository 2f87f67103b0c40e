// Misconception: what cannot be read cannot be reported.
// Caught by: TestConsumerThatCannotSay
// Message: the belief that nothing can be said about an object that can't be read.

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
		_, waits := newest[k]
		_, found, err := known.GetByKey(k)
		if err == nil && found && !waits && !listed[k] { // wrong: gone all the same
			gone = append(gone, cache.DeletedFinalStateUnknown{Key: k, Obj: lastKnown(known, k)})
		}
	}
	return gone, nil
}
