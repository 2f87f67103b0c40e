// Misconception: a key is a name.
// Caught by: TestTombstones
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
		return o.GetName(), true
	}
	return "", false
}
