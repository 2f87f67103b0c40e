// Misconception: what the set has noted is newer than what its children show.
// Caught by: TestTheNoteIsLate
// Message: the belief that what the set has noted is the newest.

//go:build wrong

package names

import (
	"strconv"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func first(owner Owner, children []*metav1.PartialObjectMetadata) int {
	if owner.Unused > 0 {
		return owner.Unused // wrong
	}
	next := 0
	for _, child := range children {
		text, ours := strings.CutPrefix(child.Name, owner.Name+"-")
		if number, err := strconv.Atoi(text); ours && err == nil {
			next = max(next, number+1)
		}
	}
	return next
}
