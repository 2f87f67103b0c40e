// The highest number of a child, and those that follow. What the set has noted is not asked yet.

//go:build partial

package names

import (
	"strconv"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func Next(owner Owner, children []*metav1.PartialObjectMetadata, n int) []string {
	next := 0
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
