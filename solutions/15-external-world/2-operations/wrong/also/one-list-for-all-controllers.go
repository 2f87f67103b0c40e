// Breaks: Instances share nothing: two of them work side by side as if the other were not there.
// Stage: 4

//go:build wrong

package operations

import "k8s.io/apimachinery/pkg/types"

var waiting = map[types.NamespacedName][]deferred{}

// New returns Operations.
func New(notify func(object types.NamespacedName)) *Operations {
	clear(waiting)
	return &Operations{notify: notify, waiting: waiting}
}
