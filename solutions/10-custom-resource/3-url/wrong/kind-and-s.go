// Misconception: a resource is called like its kind in lower case, with an s.
// Caught by: TestTheNameIsInTheDocument
// Message: the belief that a resource is called like its kind in lower case, with an s

//go:build wrong

package url

import (
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

func among(entries []metav1.APIResource, kind schema.GroupVersionKind) (Resource, bool) {
	for _, e := range entries {
		if e.Kind == kind.Kind && !strings.Contains(e.Name, "/") {
			return Resource{kind.GroupVersion().WithResource(strings.ToLower(e.Kind) + "s"), e.Namespaced}, true
		}
	}
	return Resource{}, false
}
