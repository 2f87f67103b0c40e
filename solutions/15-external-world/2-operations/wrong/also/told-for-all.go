// Misconception: a controller looks at all its objects when it is told.
// Stage: 2

//go:build wrong

package operations

import "k8s.io/apimachinery/pkg/types"

func (o *Operations) Defer(object types.NamespacedName, run Run, operation Operation) {
	o.mu.Lock()
	before := 0
	for _, all := range o.waiting {
		before += len(all)
	}
	o.waiting[object] = append(o.waiting[object], deferred{run, operation})
	o.mu.Unlock()
	if before == 0 {
		o.notify(object)
	}
}
