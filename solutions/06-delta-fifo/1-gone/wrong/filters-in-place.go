// Breaks: When Tombstones has returned, also with an error, neither queued nor list is changed, nor the room
// Caught by: TestDeletedAlready
// Message: was written to

//go:build wrong

package gone

import "k8s.io/client-go/tools/cache"

func newestOf(queued []cache.Delta, key cache.KeyFunc) (keys []string, newest map[string]cache.Delta, err error) {
	newest = map[string]cache.Delta{}
	kept := queued[:0] // wrong: it shares the array
	for _, delta := range queued {
		k, err := keyOf(delta.Object, key)
		if err != nil {
			return nil, nil, err
		}
		if _, seen := newest[k]; !seen {
			keys = append(keys, k)
		}
		newest[k] = delta
		if delta.Type != cache.Deleted {
			kept = append(kept, delta)
		}
	}
	clear(queued[len(kept):])
	return keys, newest, nil
}
