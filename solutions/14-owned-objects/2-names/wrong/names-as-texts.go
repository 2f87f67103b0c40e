// Misconception: the greatest name has the greatest number.
// Caught by: TestNumbersAreNoTexts
// Message: the belief that names are compared as texts are.

//go:build wrong

package names

import (
	"strconv"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func first(owner Owner, children []*metav1.PartialObjectMetadata) int {
	greatest := ""
	for _, child := range children {
		text, ours := strings.CutPrefix(child.Name, owner.Name+"-")
		if _, err := strconv.Atoi(text); ours && err == nil {
			greatest = max(greatest, text) // wrong
		}
	}
	if number, err := strconv.Atoi(greatest); err == nil {
		return max(owner.Unused, number+1)
	}
	return owner.Unused
}
