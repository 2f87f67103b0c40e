// Misconception: three children have the numbers 0, 1 and 2.
// Caught by: TestGaps
// Message: the belief that so many children have so many numbers.

//go:build wrong

package names

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func first(owner Owner, children []*metav1.PartialObjectMetadata) int {
	return max(owner.Unused, len(children)) // wrong
}
