// Misconception: what belongs together is done under the lock.
// Caught by: TestNotifyApplies
// Message: the belief that a lock may be held while somebody else's code is called

//go:build wrong

package operations

import "k8s.io/apimachinery/pkg/types"

func (o *Operations) Defer(object types.NamespacedName, run Run, operation Operation) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.waiting[object] = append(o.waiting[object], deferred{run, operation})
	if len(o.waiting[object]) == 1 {
		o.notify(object)
	}
}
