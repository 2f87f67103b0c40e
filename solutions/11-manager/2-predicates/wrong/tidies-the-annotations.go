// Breaks: It changes nothing: the objects are those of the cache.
// Caught by: TestOtherMetadata
// Message: the objects stay as they are

//go:build wrong

package predicates

import (
	"maps"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func read(object metav1.Object) map[string]string {
	all := object.GetAnnotations() // wrong: they are the cache's
	maps.DeleteFunc(all, func(key, _ string) bool { return !strings.HasPrefix(key, Prefix) })
	return all
}
