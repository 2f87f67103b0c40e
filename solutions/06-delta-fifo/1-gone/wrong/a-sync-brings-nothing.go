// Misconception: a Sync brings the object that the queue has already.
// Caught by: TestLastKnownState
// Message: the belief that a Sync or a Replaced says only that an object is still there.

//go:build wrong

package gone

import "k8s.io/client-go/tools/cache"

func newestOf(queued []cache.Delta, key cache.KeyFunc) (keys []string, newest map[string]cache.Delta, err error) {
	newest = map[string]cache.Delta{}
	for _, delta := range queued {
		k, err := keyOf(delta.Object, key)
		if err != nil {
			return nil, nil, err
		}
		last, seen := newest[k]
		if !seen {
			keys = append(keys, k)
		}
		if seen && delta.Type == cache.Sync && last.Type != cache.Deleted {
			continue // wrong: its object is newer
		}
		newest[k] = delta
	}
	return keys, newest, nil
}
