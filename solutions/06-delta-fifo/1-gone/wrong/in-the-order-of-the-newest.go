// Breaks: First come the keys that have deltas, in the order of each one's oldest delta, then the others in the
// Caught by: TestEveryQueue
// Message: the tombstones (†) are †a

//go:build wrong

package gone

import (
	"slices"

	"k8s.io/client-go/tools/cache"
)

func newestOf(queued []cache.Delta, key cache.KeyFunc) (keys []string, newest map[string]cache.Delta, err error) {
	newest = map[string]cache.Delta{}
	for _, delta := range queued {
		k, err := keyOf(delta.Object, key)
		if err != nil {
			return nil, nil, err
		}
		keys = slices.DeleteFunc(keys, func(have string) bool { return have == k }) // wrong: it goes to the end
		keys = append(keys, k)
		newest[k] = delta
	}
	return keys, newest, nil
}
