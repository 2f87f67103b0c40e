// Misconception: two that do the same are one.
// Stage: 1

//go:build wrong

package operations

import (
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/types"
)

func (o *Operations) Defer(object types.NamespacedName, run Run, operation Operation) {
	o.mu.Lock()
	before := len(o.waiting[object])
	same := func(d deferred) bool { return fmt.Sprintf("%p", d.operation) == fmt.Sprintf("%p", operation) }
	if !slices.ContainsFunc(o.waiting[object], same) {
		o.waiting[object] = append(o.waiting[object], deferred{run, operation})
	}
	o.mu.Unlock()
	if before == 0 {
		o.notify(object)
	}
}
