// Misconception: a key that was deleted stays deleted.
// Caught by: TestDeletedAlready
// Message: the belief that what is deleted stays deleted.

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
		if _, seen := newest[k]; !seen {
			keys = append(keys, k)
		}
		if newest[k].Type != cache.Deleted { // wrong: it may come back
			newest[k] = delta
		}
	}
	return keys, newest, nil
}
