// Misconception: the singular name is the name for one object.
// Caught by: TestTheNameIsInTheDocument
// Message: ServiceAccount is called v1 serviceaccounts

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
			return Resource{kind.GroupVersion().WithResource(e.SingularName), e.Namespaced}, true
		}
	}
	return Resource{}, false
}
