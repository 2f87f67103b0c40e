// Breaks: an annotation whose key begins with Prefix is new, is gone, or has another value.
// Caught by: TestOurAnnotations
// Message: note:scratch.example.com/pause=yes -> ours v=2 note:scratch.example.com/pause=no

//go:build wrong

package predicates

import (
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
	case len(read(before)) != len(read(after)): // wrong
		return true
	}
	return after.GetDeletionTimestamp() != nil && !slices.Equal(before.GetFinalizers(), after.GetFinalizers())
}
