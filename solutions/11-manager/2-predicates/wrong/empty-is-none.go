// Misconception: an annotation that is not there and an empty one are the same.
// Caught by: TestOurAnnotations
// Message: the belief that an annotation that is not there and an empty one are the same
// Removes: read

//go:build wrong

package predicates

import (
	"slices"
	"strings"

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
	case differs(before, after), differs(after, before):
		return true
	}
	return after.GetDeletionTimestamp() != nil && !slices.Equal(before.GetFinalizers(), after.GetFinalizers())
}

// differs compares values. wrong: that of what is not there is empty
func differs(one, other metav1.Object) bool {
	for key, value := range one.GetAnnotations() {
		if strings.HasPrefix(key, Prefix) && other.GetAnnotations()[key] != value {
			return true
		}
	}
	return false
}
