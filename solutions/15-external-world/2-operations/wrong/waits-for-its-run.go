// Misconception: what can't be applied is kept.
// Caught by: TestOfAnotherRun
// Message: the belief that what does not fit may fit later

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
		if d.run == s.Run {
			failures = append(failures, try(d.operation, s))
			continue
		}
		o.mu.Lock()
		o.waiting[object] = append(o.waiting[object], d)
		o.mu.Unlock()
	}
	return errors.Join(failures...)
}
