// Misconception: a tombstone is an object like others, and has a name.
// Caught by: TestDeletedAlready
// Message: the belief that a tombstone is an object like others. It has

//go:build wrong

package gone

import "k8s.io/client-go/tools/cache"

func keyOf(object any, key cache.KeyFunc) (string, error) {
	return key(object) // wrong: which fails
}
