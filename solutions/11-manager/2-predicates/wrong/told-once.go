// Misconception: what was told once need not be told again.
// Caught by: TestNothingIsRemembered
// Message: the belief that what was told once need not be told again

//go:build wrong

package predicates

import (
	"fmt"
	"sync"

	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
)

func New(class string) predicate.Predicate {
	var lock sync.Mutex
	told := map[string]int{}
	return predicate.Funcs{
		CreateFunc: func(e event.CreateEvent) bool { return is(e.Object, class) },
		DeleteFunc: func(e event.DeleteEvent) bool { return e.DeleteStateUnknown || is(e.Object, class) },
		UpdateFunc: func(e event.UpdateEvent) bool {
			if !updated(e.ObjectOld, e.ObjectNew, class) {
				return false
			}
			lock.Lock()
			defer lock.Unlock()
			change := fmt.Sprintf("%T %v -> %v", e.ObjectNew, e.ObjectOld, e.ObjectNew)
			defer func() { told[change]++ }()
			return told[change] == 0 // wrong
		},
	}
}
