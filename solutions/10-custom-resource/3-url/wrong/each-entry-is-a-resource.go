// Misconception: each entry with the kind is its resource, and the last one counts.
// Caught by: TestSubresources
// Message: the belief that each entry is a resource

//go:build wrong

package url

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

func among(entries []metav1.APIResource, kind schema.GroupVersionKind) (r Resource, found bool) {
	byKind := map[string]metav1.APIResource{}
	for _, e := range entries {
		byKind[e.Kind] = e
	}
	e, found := byKind[kind.Kind]
	return Resource{kind.GroupVersion().WithResource(e.Name), e.Namespaced}, found
}
