// Misconception: a UID is born once and for all.
// Caught by: TestBackAgain
// Message: the belief that a UID is born once and for all.

//go:build wrong

package recreated

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/cache"
)

// New returns a handler that tells l of lives.
func New(l Lives) cache.ResourceEventHandler {
	seen := map[string]bool{}
	tell := l
	tell.Born = func(obj metav1.Object) {
		if uid := string(obj.GetUID()); uid == "" || !seen[uid] {
			seen[uid] = true
			l.Born(obj)
		}
	}
	return &handler{tell: tell, living: map[string]metav1.Object{}}
}
