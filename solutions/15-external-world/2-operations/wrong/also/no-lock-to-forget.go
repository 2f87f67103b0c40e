// Breaks: From now on many goroutines call all the methods at once, but Apply for one object one at a time.
// Stage: 4

//go:build wrong

package operations

import "k8s.io/apimachinery/pkg/types"

func (o *Operations) Forget(object types.NamespacedName) {
	delete(o.waiting, object)
}
