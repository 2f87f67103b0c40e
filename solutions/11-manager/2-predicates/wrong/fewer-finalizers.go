// Breaks: the new object is being deleted, and its finalizers are others: somebody else may have finished.
// Caught by: TestWhatIsBeingDeleted
// Message: finalizer=a finalizer=c deleting

//go:build wrong

package predicates

import (
	"maps"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func matters(before, after metav1.Object) bool {
	switch {
	case after.GetUID() != before.GetUID():
		return true
	case after.GetResourceVersion() == before.GetResourceVersion():
		return true
	case after.GetGeneration() != before.GetGeneration(), after.GetGeneration() == 0:
		return true
	case !maps.Equal(read(before), read(after)):
		return true
	}
	return after.GetDeletionTimestamp() != nil && len(before.GetFinalizers()) != len(after.GetFinalizers()) // wrong
}
