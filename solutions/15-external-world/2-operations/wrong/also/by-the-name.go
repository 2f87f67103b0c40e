// Misconception: a name is enough to know an object by.
// Stage: 1

//go:build wrong

package operations

import (
	"errors"

	"k8s.io/apimachinery/pkg/types"
)

func (o *Operations) Defer(object types.NamespacedName, run Run, operation Operation) {
	object.Namespace = ""
	o.mu.Lock()
	before := len(o.waiting[object])
	o.waiting[object] = append(o.waiting[object], deferred{run, operation})
	o.mu.Unlock()
	if before == 0 {
		o.notify(object)
	}
}

func (o *Operations) Apply(object types.NamespacedName, s *State) error {
	object.Namespace = ""
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
