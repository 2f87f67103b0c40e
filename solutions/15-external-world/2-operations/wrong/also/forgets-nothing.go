// Breaks: The object's operations are dropped.
// Stage: 3

//go:build wrong

package operations

import "k8s.io/apimachinery/pkg/types"

func (o *Operations) Forget(object types.NamespacedName) {
	_ = o.Apply(object, &State{})
	o.Defer(object, Run{}, func(*State) {})
}
