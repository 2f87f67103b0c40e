// Misconception: a panic ends what goes on.
// Stage: 4

//go:build wrong

package operations

import "k8s.io/apimachinery/pkg/types"

func (o *Operations) Apply(object types.NamespacedName, s *State) error {
	o.mu.Lock()
	taken := o.waiting[object]
	delete(o.waiting, object)
	o.mu.Unlock()
	for _, d := range taken {
		if d.run == s.Run {
			if err := try(d.operation, s); err != nil {
				return err
			}
		}
	}
	return nil
}
