// Breaks: an annotation whose key begins with Prefix is new, is gone, or has another value.
// Caught by: TestOurAnnotations
// Message: update ours v=1 note:scratch.example.com/pause=yes -> ours v=2 (v
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
	case differs(before, after):
		return true
	}
	return after.GetDeletionTimestamp() != nil && !slices.Equal(before.GetFinalizers(), after.GetFinalizers())
}

// differs looks at what is there now. wrong: not at what was
func differs(before, after metav1.Object) bool {
	for key, value := range after.GetAnnotations() {
		was, ok := before.GetAnnotations()[key]
		if strings.HasPrefix(key, Prefix) && (!ok || was != value) {
			return true
		}
	}
	return false
}
