// Breaks: The numbers go on behind the highest that a child has, or begin at 0.
// Stage: 1

//go:build wrong

package names

import (
	"strconv"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func first(owner Owner, children []*metav1.PartialObjectMetadata) int {
	highest := max(owner.Unused-1, 0) // wrong
	for _, child := range children {
		text, ours := strings.CutPrefix(child.Name, owner.Name+"-")
		if number, err := strconv.Atoi(text); ours && err == nil {
			highest = max(highest, number)
		}
	}
	return highest + 1
}
