// Misconception: after one that is late all are late.
// Caught by: TestOfAnotherRun
// Message: the belief that an operation says something about those behind it

//go:build wrong

package operations

import (
	"errors"

	"k8s.io/apimachinery/pkg/types"
)

func (o *Operations) Apply(object types.NamespacedName, s *State) error {
	o.mu.Lock()
	taken := o.waiting[object]
	delete(o.waiting, object)
	o.mu.Unlock()
	var failures []error
	for _, d := range taken {
		if d.run != s.Run {
			break
		}
		failures = append(failures, try(d.operation, s))
	}
	return errors.Join(failures...)
}
