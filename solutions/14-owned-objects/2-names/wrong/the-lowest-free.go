// Misconception: a number that no child has is free.
// Caught by: TestGaps
// Message: the belief that a number is free when no child has it.

//go:build wrong

package names

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func Next(owner Owner, children []*metav1.PartialObjectMetadata, n int) []string {
	taken := map[string]bool{}
	for _, child := range children {
		taken[child.Name] = true
	}
	var names []string
	for number := owner.Unused; len(names) < n; number++ {
		if !taken[name(owner, number)] { // wrong
			names = append(names, name(owner, number))
		}
	}
	return names
}
