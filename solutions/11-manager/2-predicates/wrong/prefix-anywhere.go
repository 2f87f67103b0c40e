// Breaks: an annotation whose key begins with Prefix is new, is gone, or has another value.
// Caught by: TestOtherMetadata
// Message: note:my-scratch.example.com/pause=yes

//go:build wrong

package predicates

import (
	"maps"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func read(object metav1.Object) map[string]string {
	all := maps.Clone(object.GetAnnotations())
	maps.DeleteFunc(all, func(key, _ string) bool {
		return !strings.Contains(key, Prefix) // wrong
	})
	return all
}
