// Misconception: a newer delta that holds nil says nothing, and the last state is what the delta before it holds.
// Caught by: TestLastKnownState
// Message: the belief that a nil says nothing.

//go:build wrong

package gone

import "k8s.io/client-go/tools/cache"

// newestOf finds each key's newest delta, and the order in which the keys came.
func newestOf(queued []cache.Delta, key cache.KeyFunc) (keys []string, newest map[string]cache.Delta, err error) {
	newest = map[string]cache.Delta{}
	for _, delta := range queued {
		k, err := keyOf(delta.Object, key)
		if err != nil {
			return nil, nil, err
		}
		before, seen := newest[k]
		if !seen {
			keys = append(keys, k)
		}
		if delta.Object == nil {
			delta.Object = before.Object // wrong: nil is what the object is now
		}
		newest[k] = delta
	}
	return keys, newest, nil
}
