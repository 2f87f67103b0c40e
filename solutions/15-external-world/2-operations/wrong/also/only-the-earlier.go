// Misconception: news is late, and never early.
// Stage: 3

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
		if d.run.UID == s.Run.UID && d.run.Attempt >= s.Run.Attempt {
			failures = append(failures, try(d.operation, s))
		}
	}
	return errors.Join(failures...)
}
