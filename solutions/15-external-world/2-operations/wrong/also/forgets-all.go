// Misconception: what is gone begins everything anew.
// Stage: 3

//go:build wrong

package operations

import "k8s.io/apimachinery/pkg/types"

func (o *Operations) Forget(object types.NamespacedName) {
	o.mu.Lock()
	defer o.mu.Unlock()
	clear(o.waiting)
}
