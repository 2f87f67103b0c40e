// Misconception: names need no order, if they are never the same.
// Stage: 1

//go:build wrong

package names

import (
	"fmt"
	"math/rand/v2"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func Next(owner Owner, children []*metav1.PartialObjectMetadata, n int) []string {
	var names []string
	for range n {
		names = append(names, fmt.Sprintf("%s-x%04x", owner.Name, rand.N(1<<16))) // wrong
	}
	return names
}
