// What the set has noted counts, and who is alive. Nothing is created yet.

//go:build partial

package names

import (
	"strconv"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func Next(owner Owner, children []*metav1.PartialObjectMetadata, n int) []string {
	next := owner.Unused
	for _, child := range children {
		text, ours := strings.CutPrefix(child.Name, owner.Name+"-")
		if number, err := strconv.Atoi(text); ours && err == nil {
			next = max(next, number+1)
		}
	}
	var names []string
	for range n {
		names = append(names, owner.Name+"-"+strconv.Itoa(next))
		next++
	}
	return names
}

func Missing(wanted int, children []*metav1.PartialObjectMetadata) int {
	for _, child := range children {
		if child.DeletionTimestamp == nil {
			wanted--
		}
	}
	return max(wanted, 0)
}
