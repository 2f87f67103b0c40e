// Misconception: an operation that nobody is told of is not applied.
// Caught by: TestToldOnce
// Message: the belief that each operation needs a run

//go:build wrong

package operations

import "k8s.io/apimachinery/pkg/types"

func (o *Operations) Defer(object types.NamespacedName, run Run, operation Operation) {
	o.mu.Lock()
	before := len(o.waiting[object])
	o.waiting[object] = append(o.waiting[object], deferred{run, operation})
	o.mu.Unlock()
	if before >= 0 {
		o.notify(object)
	}
}
