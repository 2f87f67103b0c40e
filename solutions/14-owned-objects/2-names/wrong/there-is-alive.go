// Misconception: what the API server has is alive.
// Caught by: TestBeingDeletedIsNotAlive
// Message: the belief that a child is alive as long as the API server has it.

//go:build wrong

package names

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func Missing(wanted int, children []*metav1.PartialObjectMetadata) int {
	return max(wanted-len(children), 0) // wrong
}
