// Misconception: whoever is told comes later.
// Caught by: TestNotifyApplies
// Message: the belief that a run takes its time to begin

//go:build wrong

package operations

import "k8s.io/apimachinery/pkg/types"

func (o *Operations) Defer(object types.NamespacedName, run Run, operation Operation) {
	o.mu.Lock()
	before := len(o.waiting[object])
	o.mu.Unlock()
	if before == 0 {
		o.notify(object)
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.waiting[object] = append(o.waiting[object], deferred{run, operation})
}
