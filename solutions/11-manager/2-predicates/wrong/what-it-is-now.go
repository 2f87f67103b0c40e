// Misconception: an update is about what the object is.
// Caught by: TestWhatBecomesOurs
// Message: the belief that an update is about what the object is

//go:build wrong

package predicates

import "sigs.k8s.io/controller-runtime/pkg/client"

func updated(before, after client.Object, class string) bool {
	return is(after, class) && (!is(before, class) || matters(before, after)) // wrong
}
