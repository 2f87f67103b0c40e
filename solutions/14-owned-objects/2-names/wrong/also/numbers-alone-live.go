// Misconception: a child has a number.
// Stage: 2

//go:build wrong

package names

import (
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func Missing(wanted int, children []*metav1.PartialObjectMetadata) int {
	for _, child := range children {
		if child.DeletionTimestamp == nil && strings.ContainsAny(child.Name, "0123456789") { // wrong
			wanted--
		}
	}
	return max(wanted, 0)
}
