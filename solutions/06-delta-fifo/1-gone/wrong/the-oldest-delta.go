// Misconception: the first delta of a key is the one with the object.
// Caught by: TestLastKnownState
// Message: the belief that the first delta says what an object is.

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
			newest[k] = delta
		}
		newest[k] = cache.Delta{Type: delta.Type, Object: newest[k].Object} // wrong: the state of the first
	}
	return keys, newest, nil
}
