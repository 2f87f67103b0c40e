// Misconception: each kind has a generation.
// Caught by: TestNoGeneration
// Message: the belief that each kind has a generation

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
	case after.GetGeneration() != before.GetGeneration():
		return true
	case !maps.Equal(read(before), read(after)):
		return true
	}
	return after.GetDeletionTimestamp() != nil && !slices.Equal(before.GetFinalizers(), after.GetFinalizers())
}
