// Misconception: news that is newer takes the place of what is older.
// Caught by: TestInOrder
// Message: the belief that the last news is all of it

//go:build wrong

package operations

import "k8s.io/apimachinery/pkg/types"

func (o *Operations) Defer(object types.NamespacedName, run Run, operation Operation) {
	o.mu.Lock()
	before := len(o.waiting[object])
	o.waiting[object] = []deferred{{run, operation}}
	o.mu.Unlock()
	if before == 0 {
		o.notify(object)
	}
}
