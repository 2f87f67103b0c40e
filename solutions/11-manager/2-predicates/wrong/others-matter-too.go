// Breaks: An update of what was not ours and is not ours leads to none.
// Caught by: TestUpdatesOfOthers
// Message: update theirs v=1 gen=1 -> theirs v=2 gen=2

//go:build wrong

package predicates

import "sigs.k8s.io/controller-runtime/pkg/client"

func updated(before, after client.Object, class string) bool {
	was, isNow := is(before, class), is(after, class)
	if was != isNow {
		return true
	}
	return matters(before, after) // wrong
}
