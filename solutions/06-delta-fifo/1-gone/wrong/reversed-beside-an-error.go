// Breaks: When Tombstones has returned, also with an error, neither queued nor list is changed, nor the room
// Caught by: TestObjectsWithoutAKey
// Message: was written to: queued has Added none v1, Updated default/b v1, Added default/a v1

//go:build wrong

package gone

import (
	"slices"

	"k8s.io/client-go/tools/cache"
)

func newestOf(queued []cache.Delta, key cache.KeyFunc) (keys []string, newest map[string]cache.Delta, err error) {
	newest = map[string]cache.Delta{}
	slices.Reverse(queued)
	for _, delta := range queued {
		k, err := keyOf(delta.Object, key)
		if err != nil {
			return nil, nil, err // wrong: it stays reversed
		}
		if _, seen := newest[k]; !seen {
			newest[k] = delta
		}
		keys = slices.DeleteFunc(keys, func(other string) bool { return other == k })
		keys = append(keys, k)
	}
	slices.Reverse(queued)
	slices.Reverse(keys)
	return keys, newest, nil
}
