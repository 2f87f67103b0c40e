// Breaks: The key of a tombstone is its Key. A key may be any text, also "".
// Caught by: TestKeysSayWhatIsTheSame
// Message: queued has Added "" v1

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
		if k == "" {
			continue // wrong: it is a key like others
		}
		if _, seen := newest[k]; !seen {
			keys = append(keys, k)
		}
		newest[k] = delta
	}
	return keys, newest, nil
}
