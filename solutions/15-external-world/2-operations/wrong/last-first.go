// Breaks: It calls the object's operations with s, in the order in which they were deferred.
// Caught by: TestInOrder
// Message: the last step left yx

//go:build wrong

package operations

import (
	"errors"
	"slices"

	"k8s.io/apimachinery/pkg/types"
)

func (o *Operations) Apply(object types.NamespacedName, s *State) error {
	o.mu.Lock()
	taken := o.waiting[object]
	delete(o.waiting, object)
	o.mu.Unlock()
	slices.Reverse(taken)
	var failures []error
	for _, d := range taken {
		if d.run == s.Run {
			failures = append(failures, try(d.operation, s))
		}
	}
	return errors.Join(failures...)
}
