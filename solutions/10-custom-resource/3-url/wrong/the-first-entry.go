// Misconception: a subresource comes after its resource, so the first entry with the kind is the resource.
// Caught by: TestSubresources
// Message: PodExecOptions: Find finds no match

//go:build wrong

package url

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

func among(entries []metav1.APIResource, kind schema.GroupVersionKind) (Resource, bool) {
	for _, e := range entries {
		if e.Kind == kind.Kind && (e.Group == "" || e.Group == kind.Group) {
			return Resource{kind.GroupVersion().WithResource(e.Name), e.Namespaced}, true
		}
	}
	return Resource{}, false
}
