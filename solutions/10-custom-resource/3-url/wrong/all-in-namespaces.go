// Breaks: The resource is namespaced if its entry says so.
// Caught by: TestTheScopeIsInTheDocument
// Message: v1 Node: Find finds v1 nodes, cluster-scoped

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
			return Resource{kind.GroupVersion().WithResource(e.Name), true}, true
		}
	}
	return Resource{}, false
}
