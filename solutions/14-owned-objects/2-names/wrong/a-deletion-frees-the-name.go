// Misconception: a child that is being deleted is no child any more.
// Caught by: TestBeingDeletedHoldsItsName
// Message: the belief that a name is free when its object is being deleted.

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
		if child.DeletionTimestamp != nil {
			continue // wrong
		}
		text, ours := strings.CutPrefix(child.Name, owner.Name+"-")
		if number, err := strconv.Atoi(text); ours && err == nil {
			next = max(next, number+1)
		}
	}
	return next
}
