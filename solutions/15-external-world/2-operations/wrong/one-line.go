// Misconception: what waits is a queue.
// Caught by: TestOfOneObject
// Message: the belief that what waits is one line

//go:build wrong

package operations

import (
	"errors"

	"k8s.io/apimachinery/pkg/types"
)

func (o *Operations) Apply(object types.NamespacedName, s *State) error {
	o.mu.Lock()
	var failures []error
	var taken []deferred
	for _, all := range o.waiting {
		taken = append(taken, all...)
	}
	clear(o.waiting)
	o.mu.Unlock()
	for _, d := range taken {
		failures = append(failures, try(d.operation, s))
	}
	return errors.Join(failures...)
}
