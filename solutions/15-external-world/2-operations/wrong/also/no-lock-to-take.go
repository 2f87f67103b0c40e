// Breaks: From now on many goroutines call all the methods at once, but Apply for one object one at a time.
// Stage: 4

//go:build wrong

package operations

import (
	"errors"

	"k8s.io/apimachinery/pkg/types"
)

func (o *Operations) Apply(object types.NamespacedName, s *State) error {
	taken := o.waiting[object]
	delete(o.waiting, object)
	var failures []error
	for _, d := range taken {
		if d.run == s.Run {
			failures = append(failures, try(d.operation, s))
		}
	}
	return errors.Join(failures...)
}
