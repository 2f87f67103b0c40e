// Breaks: the new object is being deleted, and its finalizers are others: somebody else may have finished.
// Caught by: TestTheStatus
// Message: deleting finalizer=a -> ours v=2 gen=3 status=2 deleting finalizer=a

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
	return after.GetDeletionTimestamp() != nil // wrong
}
