// Breaks: All other updates lead to none: those of the status, whoever has written it, of other labels
// Caught by: TestOtherMetadata
// Message: update ours v=1 -> ours v=2 label:app=shop

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
	case !maps.Equal(before.GetLabels(), after.GetLabels()): // wrong
		return true
	}
	return after.GetDeletionTimestamp() != nil && !slices.Equal(before.GetFinalizers(), after.GetFinalizers())
}
