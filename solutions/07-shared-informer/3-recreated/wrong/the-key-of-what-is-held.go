// Breaks: Of that the Key is certain. Its Obj may be nil, an older state than the one that was told last, or another
// object.
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
		if held, ok := o.Obj.(metav1.Object); ok {
			return keyOf(held)
		}
		return o.Key, true
	case metav1.Object:
		return cache.MetaObjectToName(o).String(), true
	}
	return "", false
}
