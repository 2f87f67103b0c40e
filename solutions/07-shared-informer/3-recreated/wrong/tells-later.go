// Breaks: l is told before the call returns.
// Caught by: TestALife
// Message: Happened: nobody is told

//go:build wrong

package recreated

import (
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/cache"
)

// New returns a handler that tells l of lives.
func New(l Lives) cache.ResourceEventHandler {
	tell := l
	tell.Born = func(obj metav1.Object) {
		go func() {
			time.Sleep(10 * time.Millisecond)
			l.Born(obj)
		}()
	}
	return &handler{tell: tell, living: map[string]metav1.Object{}}
}
