// Misconception: a subresource is what repeats the kind of its resource, and is called status.
// Caught by: TestSubresources
// Message: apps/v1 Scale: Find finds no match

//go:build wrong

package url

import (
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

func among(entries []metav1.APIResource, kind schema.GroupVersionKind) (Resource, bool) {
	for _, e := range entries {
		if e.Kind == kind.Kind && !strings.HasSuffix(e.Name, "/status") && !strings.HasSuffix(e.Name, "/finalize") {
			return Resource{kind.GroupVersion().WithResource(e.Name), e.Namespaced}, true
		}
	}
	return Resource{}, false
}
