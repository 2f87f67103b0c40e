// Misconception: a list has the newest child at its end.
// Caught by: TestAnyOrder
// Message: the belief that the last of a list is the newest.

//go:build wrong

package names

import (
	"strconv"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func first(owner Owner, children []*metav1.PartialObjectMetadata) int {
	next := owner.Unused
	for _, child := range children {
		text, ours := strings.CutPrefix(child.Name, owner.Name+"-")
		if number, err := strconv.Atoi(text); ours && err == nil {
			next = number + 1 // wrong
		}
	}
	return next
}
