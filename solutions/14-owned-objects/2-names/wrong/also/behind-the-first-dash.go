// Misconception: a name has one dash.
// Stage: 1

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
		set, text, _ := strings.Cut(child.Name, "-") // wrong
		if number, err := strconv.Atoi(text); err == nil && set == owner.Name {
			next = max(next, number+1)
		}
	}
	return next
}
