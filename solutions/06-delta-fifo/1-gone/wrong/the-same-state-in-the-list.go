// Misconception: an object that is still there is in the list as it was.
// Caught by: TestKeysSayWhatIsTheSame
// Message: the belief that an object that is still there is the same in the list.

//go:build wrong

package gone

import (
	"reflect"
	"slices"

	"k8s.io/client-go/tools/cache"
)

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
		if delta := newest[k]; !(listed[k] && has(list, delta.Object)) && delta.Type != cache.Deleted {
			gone = append(gone, cache.DeletedFinalStateUnknown{Key: k, Obj: delta.Object})
		}
	}
	if known == nil {
		return gone, nil
	}
	for _, k := range known.ListKeys() {
		if _, waits := newest[k]; !waits && !has(list, lastKnown(known, k)) {
			gone = append(gone, cache.DeletedFinalStateUnknown{Key: k, Obj: lastKnown(known, k)})
		}
	}
	return gone, nil
}

// has looks for an object in a list. Wrong: the list has it in its newest state.
func has(list []any, object any) bool {
	return slices.ContainsFunc(list, func(o any) bool { return reflect.DeepEqual(o, object) })
}
