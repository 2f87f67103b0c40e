// Misconception: a rule leads from a kind to its plural.
// Caught by: TestTheNameIsInTheDocument
// Message: the belief that a rule makes the plural

//go:build wrong

package url

import (
	"strings"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

func among(entries []metav1.APIResource, kind schema.GroupVersionKind) (Resource, bool) {
	for _, e := range entries {
		if e.Kind == kind.Kind && !strings.Contains(e.Name, "/") {
			plural, _ := meta.UnsafeGuessKindToResource(kind)
			return Resource{plural, e.Namespaced}, true
		}
	}
	return Resource{}, false
}
