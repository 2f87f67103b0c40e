// Misconception: what is there at the start has been dealt with.
// Caught by: TestCreations
// Message: the belief that what is there at the start has been dealt with

//go:build wrong

package predicates

import (
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
)

func New(class string) predicate.Predicate {
	return predicate.Funcs{
		CreateFunc: func(e event.CreateEvent) bool { return !e.IsInInitialList && is(e.Object, class) }, // wrong
		DeleteFunc: func(e event.DeleteEvent) bool { return e.DeleteStateUnknown || is(e.Object, class) },
		UpdateFunc: func(e event.UpdateEvent) bool { return updated(e.ObjectOld, e.ObjectNew, class) },
	}
}
