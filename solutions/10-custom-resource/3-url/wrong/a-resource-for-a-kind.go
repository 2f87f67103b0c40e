// Misconception: a resource and a kind are two spellings of one name.
// Caught by: TestThisVeryKind
// Message: v1 pods: Find finds no match

//go:build wrong

package url

import (
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

func among(entries []metav1.APIResource, kind schema.GroupVersionKind) (Resource, bool) {
	for _, e := range entries {
		if (e.Kind == kind.Kind || e.Name == kind.Kind) && !strings.Contains(e.Name, "/") {
			return Resource{kind.GroupVersion().WithResource(e.Name), e.Namespaced}, true
		}
	}
	return Resource{}, false
}
