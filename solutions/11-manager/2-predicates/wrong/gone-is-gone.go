// Misconception: there is nothing to do for what is gone.
// Caught by: TestDeletions
// Message: the belief that there is nothing to do for what is gone

//go:build wrong

package predicates

import (
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
)

func New(class string) predicate.Predicate {
	return predicate.Funcs{
		CreateFunc: func(e event.CreateEvent) bool { return is(e.Object, class) },
		DeleteFunc: func(e event.DeleteEvent) bool { return e.DeleteStateUnknown }, // wrong
		UpdateFunc: func(e event.UpdateEvent) bool { return updated(e.ObjectOld, e.ObjectNew, class) },
	}
}
