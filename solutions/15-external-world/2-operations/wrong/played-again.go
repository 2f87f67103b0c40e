// Misconception: a state is what comes of all operations.
// Caught by: TestOnce
// Message: the belief that a run begins from nothing

//go:build wrong

package operations

import (
	"errors"
	"slices"

	"k8s.io/apimachinery/pkg/types"
)

func (o *Operations) Apply(object types.NamespacedName, s *State) error {
	o.mu.Lock()
	taken := slices.Clone(o.waiting[object])
	o.mu.Unlock()
	var failures []error
	for _, d := range taken {
		if d.run == s.Run {
			failures = append(failures, try(d.operation, s))
		}
	}
	return errors.Join(failures...)
}
