// Misconception: the children say which numbers were used.
// Caught by: TestANumberIsUsedOnce
// Message: the belief that the children that are there say which numbers were used.

//go:build wrong

package names

import (
	"strconv"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func first(owner Owner, children []*metav1.PartialObjectMetadata) int {
	next := 0 // wrong
	for _, child := range children {
		text, ours := strings.CutPrefix(child.Name, owner.Name+"-")
		if number, err := strconv.Atoi(text); ours && err == nil {
			next = max(next, number+1)
		}
	}
	return next
}
