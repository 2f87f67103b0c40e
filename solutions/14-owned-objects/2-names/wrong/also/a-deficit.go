// Breaks: It is never negative.
// Stage: 2

//go:build wrong

package names

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func Missing(wanted int, children []*metav1.PartialObjectMetadata) int {
	for _, child := range children {
		if child.DeletionTimestamp == nil {
			wanted--
		}
	}
	return wanted // wrong
}
