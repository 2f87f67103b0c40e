// Misconception: a name says which object it is, without its namespace.
// Caught by: TestKeys
// Message: Happened: Died prod/a u1 v1, not final; Born test/a u2 v2

//go:build wrong

package recreated

import (
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/cache"
)

func keyOf(obj any) (key string, ok bool) {
	switch o := obj.(type) {
	case cache.DeletedFinalStateUnknown:
		return o.Key[strings.Index(o.Key, "/")+1:], true
	case metav1.Object:
		return o.GetName(), true
	}
	return "", false
}
