// Misconception: the number is what stands behind the first dash.
// Stage: 1

//go:build wrong

package hierarchy

import (
	"strconv"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func number(child metav1.PartialObjectMetadata) int {
	_, text, _ := strings.Cut(child.Name, "-")
	n, err := strconv.Atoi(text)
	if err != nil {
		return -1
	}
	return n
}
