// Breaks: finalizers before the deletion, of managedFields, of owners.
// Caught by: TestOtherMetadata
// Message: update ours v=1 -> ours v=2 finalizer=a

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
	case after.GetGeneration() != before.GetGeneration(), after.GetGeneration() == 0:
		return true
	case !maps.Equal(read(before), read(after)):
		return true
	}
	return !slices.Equal(before.GetFinalizers(), after.GetFinalizers()) // wrong
}
