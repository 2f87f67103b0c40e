// Misconception: what locks in each step is safe.
// Caught by: TestNoneIsLost
// Message: the belief that what two steps find is the same

//go:build wrong

package operations

import "k8s.io/apimachinery/pkg/types"

func (o *Operations) Defer(object types.NamespacedName, run Run, operation Operation) {
	o.mu.Lock()
	before := len(o.waiting[object])
	o.mu.Unlock()
	o.mu.Lock()
	o.waiting[object] = append(o.waiting[object], deferred{run, operation})
	o.mu.Unlock()
	if before == 0 {
		o.notify(object)
	}
}
