// Misconception: a run is whole, or it is not.
// Stage: 4

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
	whole := *s
	for _, d := range taken {
		if d.run != s.Run {
			continue
		}
		if err := try(d.operation, s); err != nil {
			failures = append(failures, err)
			*s = whole
		}
	}
	return errors.Join(failures...)
}
