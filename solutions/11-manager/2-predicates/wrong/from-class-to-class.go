// Breaks: An update of what was not ours and is not ours leads to none.
// Caught by: TestUpdatesOfOthers
// Message: update theirs v=1 -> unmarked v=2

//go:build wrong

package predicates

import "sigs.k8s.io/controller-runtime/pkg/client"

func updated(before, after client.Object, class string) bool {
	if before.GetLabels()[Class] != after.GetLabels()[Class] {
		return true // wrong: neither class may be ours
	}
	return is(after, class) && matters(before, after)
}
