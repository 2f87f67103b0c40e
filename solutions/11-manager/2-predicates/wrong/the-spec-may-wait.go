// Breaks: the generation is another, as after a change of the spec, or when a deletion has begun.
// Caught by: TestTheSpec
// Message: update ours v=1 gen=1 -> ours v=2 gen=2

//go:build wrong

package predicates

import (
	"maps"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func matters(before, after metav1.Object) bool {
	switch {
	case after.GetUID() != before.GetUID():
		return true
	case after.GetResourceVersion() == before.GetResourceVersion():
		return true
	case after.GetGeneration() == 0: // wrong
		return true
	case !maps.Equal(read(before), read(after)):
		return true
	}
	return after.GetDeletionTimestamp() != nil && !slices.Equal(before.GetFinalizers(), after.GetFinalizers())
}
