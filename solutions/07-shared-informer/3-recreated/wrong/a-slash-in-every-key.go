// Misconception: every key has a namespace and a slash.
// Caught by: TestKeys
// Message: Happened: nobody is told

//go:build wrong

package recreated

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/cache"
)

func keyOf(obj any) (key string, ok bool) {
	switch o := obj.(type) {
	case cache.DeletedFinalStateUnknown:
		return o.Key, true
	case metav1.Object:
		return o.GetNamespace() + "/" + o.GetName(), true
	}
	return "", false
}
