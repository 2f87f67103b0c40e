// Misconception: a run gives back what it has changed.
// Stage: 1

//go:build wrong

package operations

import (
	"errors"

	"k8s.io/apimachinery/pkg/types"
)

func (o *Operations) Apply(object types.NamespacedName, s *State) error {
	changed := *s
	s = &changed
	o.mu.Lock()
	taken := o.waiting[object]
	delete(o.waiting, object)
	o.mu.Unlock()
	var failures []error
	for _, d := range taken {
		if d.run == s.Run {
			failures = append(failures, try(d.operation, s))
		}
	}
	return errors.Join(failures...)
}
