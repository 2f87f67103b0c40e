// Misconception: a run is about one run of the world.
// Caught by: TestWhenItsTurnComes
// Message: the belief that the run is known when Apply begins

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
	run := s.Run
	for _, d := range taken {
		if d.run == run {
			failures = append(failures, try(d.operation, s))
		}
	}
	return errors.Join(failures...)
}
