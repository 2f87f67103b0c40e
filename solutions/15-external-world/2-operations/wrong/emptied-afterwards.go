// Misconception: what is done is crossed off.
// Caught by: TestMeanwhile
// Message: the belief that a list can be emptied when it has been worked off

//go:build wrong

package operations

import (
	"errors"

	"k8s.io/apimachinery/pkg/types"
)

func (o *Operations) Apply(object types.NamespacedName, s *State) error {
	o.mu.Lock()
	taken := o.waiting[object]
	o.mu.Unlock()
	defer o.Forget(object)
	var failures []error
	for _, d := range taken {
		if d.run == s.Run {
			failures = append(failures, try(d.operation, s))
		}
	}
	return errors.Join(failures...)
}
