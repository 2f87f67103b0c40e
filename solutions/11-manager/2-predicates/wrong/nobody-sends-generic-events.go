// Breaks: A generic event always leads to a run. Whoever sends one has decided that.
// Caught by: TestGenericEvents
// Message: generic ours

//go:build wrong

package predicates

import (
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
)

func New(class string) predicate.Predicate {
	return predicate.Funcs{
		CreateFunc:  func(e event.CreateEvent) bool { return is(e.Object, class) },
		DeleteFunc:  func(e event.DeleteEvent) bool { return e.DeleteStateUnknown || is(e.Object, class) },
		UpdateFunc:  func(e event.UpdateEvent) bool { return updated(e.ObjectOld, e.ObjectNew, class) },
		GenericFunc: func(event.GenericEvent) bool { return false }, // wrong
	}
}
