// Misconception: a document whose first entry is namespaced is one of namespaced kinds.
// Caught by: TestTheScopeIsInTheDocument
// Message: Node: Find finds v1 nodes, cluster-scoped

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
			return Resource{kind.GroupVersion().WithResource(e.Name), entries[0].Namespaced}, true
		}
	}
	return Resource{}, false
}
