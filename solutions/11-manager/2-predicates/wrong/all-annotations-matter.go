// Breaks: All other updates lead to none: those of the status, whoever has written it, of other labels
// Caught by: TestOtherMetadata
// Message: note:example.com/x=1

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
	case !maps.Equal(before.GetAnnotations(), after.GetAnnotations()):
		return true
	}
	return after.GetDeletionTimestamp() != nil && !slices.Equal(before.GetFinalizers(), after.GetFinalizers())
}
