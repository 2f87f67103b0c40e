// Misconception: one operation may wait for another.
// Stage: 2

//go:build wrong

package operations

import "k8s.io/apimachinery/pkg/types"

func (o *Operations) Defer(object types.NamespacedName, run Run, operation Operation) {
	o.mu.Lock()
	before := len(o.waiting[object])
	o.waiting[object] = append(o.waiting[object], deferred{run, operation})
	o.mu.Unlock()
	if before == 1 {
		o.notify(object)
	}
}
