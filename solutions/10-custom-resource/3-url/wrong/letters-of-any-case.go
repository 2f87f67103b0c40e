// Breaks: The resource of a kind is an entry with this very Kind, in the document of the kind's own group and version.
// Caught by: TestThisVeryKind
// Message: v1 pod: Find finds no match

//go:build wrong

package url

import (
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

func among(entries []metav1.APIResource, kind schema.GroupVersionKind) (Resource, bool) {
	for _, e := range entries {
		if strings.EqualFold(e.Kind, kind.Kind) && !strings.Contains(e.Name, "/") {
			return Resource{kind.GroupVersion().WithResource(e.Name), e.Namespaced}, true
		}
	}
	return Resource{}, false
}
