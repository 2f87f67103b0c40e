// Misconception: the number of a child is what stands behind the last dash.
// Caught by: TestNamesOfOthers
// Message: the belief that the number is what stands behind the last dash.

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
		text := child.Name[strings.LastIndex(child.Name, "-")+1:]
		if number, err := strconv.Atoi(text); err == nil && strings.HasPrefix(child.Name, owner.Name+"-") { // wrong
			next = max(next, number+1)
		}
	}
	return next
}
