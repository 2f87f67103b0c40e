// Breaks: An update of what was not ours and is not ours leads to none.
// Caught by: TestUpdatesOfOthers
// Message: update theirs v=1 -> theirs v=1

//go:build wrong

package predicates

import "sigs.k8s.io/controller-runtime/pkg/client"

func updated(before, after client.Object, class string) bool {
	if after.GetUID() != before.GetUID() || after.GetResourceVersion() == before.GetResourceVersion() ||
		after.GetGeneration() == 0 {
		return true // wrong: nobody has asked yet whose they are
	}
	was, isNow := is(before, class), is(after, class)
	if was != isNow {
		return true
	}
	return isNow && matters(before, after)
}
