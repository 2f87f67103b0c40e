// Misconception: the number of annotations tells whether one has come or gone.
// Caught by: TestOurAnnotations
// Message: the belief that the number of annotations tells whether one has come or gone
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
	case annotated(before.GetAnnotations(), after.GetAnnotations()):
		return true
	}
	return after.GetDeletionTimestamp() != nil && !slices.Equal(before.GetFinalizers(), after.GetFinalizers())
}

// annotated looks for what the one that has more has alone.
func annotated(before, after map[string]string) bool {
	more, less := after, before
	if len(before) > len(after) {
		more, less = before, after // wrong: the other may have something alone, too
	}
	for key, value := range more {
		there, ok := less[key]
		if strings.HasPrefix(key, Prefix) && (!ok || there != value) {
			return true
		}
	}
	return false
}
