// Misconception: a run leaves nothing over.
// Caught by: TestMeanwhile
// Message: the belief that a run may go on while there is something to apply

//go:build wrong

package operations

import (
	"errors"

	"k8s.io/apimachinery/pkg/types"
)

func (o *Operations) Apply(object types.NamespacedName, s *State) error {
	var failures []error
	for {
		o.mu.Lock()
		taken := o.waiting[object]
		delete(o.waiting, object)
		o.mu.Unlock()
		if len(taken) == 0 {
			return errors.Join(failures...)
		}
		for _, d := range taken {
			if d.run == s.Run {
				failures = append(failures, try(d.operation, s))
			}
		}
	}
}
