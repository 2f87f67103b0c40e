// Breaks: If the object becomes ours, or ceases to be, it
// Caught by: TestWhatBecomesOurs
// Message: update unmarked v=1 -> ours v=2

//go:build wrong

package predicates

import "sigs.k8s.io/controller-runtime/pkg/client"

func updated(before, after client.Object, class string) bool {
	return is(before, class) && (!is(after, class) || matters(before, after)) // wrong
}
