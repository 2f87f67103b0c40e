// Misconception: a name says which object it is.
// Caught by: TestKeysSayWhatIsTheSame
// Message: the belief that a name says which object it is.

//go:build wrong

package gone

import (
	"strings"

	"k8s.io/client-go/tools/cache"
)

func keysOf(list []any, key cache.KeyFunc) (map[string]bool, error) {
	keys := map[string]bool{}
	for _, object := range list {
		k, err := key(object)
		if err != nil {
			return nil, err
		}
		keys[nameOf(k)] = true
	}
	return keys, nil
}

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
		if delta := newest[k]; !listed[nameOf(k)] && delta.Type != cache.Deleted {
			gone = append(gone, cache.DeletedFinalStateUnknown{Key: k, Obj: delta.Object})
		}
	}
	if known == nil {
		return gone, nil
	}
	for _, k := range known.ListKeys() {
		if _, waits := newest[k]; !waits && !listed[nameOf(k)] {
			gone = append(gone, cache.DeletedFinalStateUnknown{Key: k, Obj: lastKnown(known, k)})
		}
	}
	return gone, nil
}

// nameOf leaves the namespace away. Wrong: each namespace has its own names.
func nameOf(key string) string { return key[strings.LastIndex(key, "/")+1:] }
