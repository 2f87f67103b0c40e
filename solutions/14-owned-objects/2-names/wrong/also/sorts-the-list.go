// Misconception: a list from a cache is the caller's to sort.
// Stage: 3

//go:build wrong

package names

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func first(owner Owner, children []*metav1.PartialObjectMetadata) int {
	number := func(child *metav1.PartialObjectMetadata) int {
		text, _ := strings.CutPrefix(child.Name, owner.Name+"-")
		if number, err := strconv.Atoi(text); err == nil {
			return number
		}
		return -1
	}
	slices.SortFunc(children, func(a, b *metav1.PartialObjectMetadata) int { // wrong
		return cmp.Compare(number(a), number(b))
	})
	if len(children) == 0 {
		return owner.Unused
	}
	return max(owner.Unused, number(children[len(children)-1])+1)
}
