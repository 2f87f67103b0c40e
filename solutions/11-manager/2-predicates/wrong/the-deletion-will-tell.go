// Misconception: what is being deleted is dealt with when it is gone.
// Caught by: TestWhatIsBeingDeleted
// Message: the belief that the deletion will tell

//go:build wrong

package predicates

import (
	"maps"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func matters(before, after metav1.Object) bool {
	switch {
	case after.GetDeletionTimestamp() != nil:
		return false // wrong
	case after.GetUID() != before.GetUID():
		return true
	case after.GetResourceVersion() == before.GetResourceVersion():
		return true
	case after.GetGeneration() != before.GetGeneration(), after.GetGeneration() == 0:
		return true
	case !maps.Equal(read(before), read(after)):
		return true
	}
	return after.GetDeletionTimestamp() != nil && !slices.Equal(before.GetFinalizers(), after.GetFinalizers())
}
