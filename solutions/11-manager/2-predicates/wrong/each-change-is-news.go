// Misconception: each change is news.
// Caught by: TestTheStatus
// Message: the belief that each change is news

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
	return true // wrong: also what a run has written
}
