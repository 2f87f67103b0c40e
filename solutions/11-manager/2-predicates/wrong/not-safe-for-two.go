// Breaks: It decides from the event, and from nothing else. Several informers may ask at one time.
// Caught by: TestManyAskAtOneTime
// Message: there was a data race

//go:build wrong

package predicates

import (
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
)

func New(class string) predicate.Predicate {
	asked := 0
	return predicate.Funcs{
		CreateFunc: func(e event.CreateEvent) bool {
			asked++ // wrong
			return is(e.Object, class)
		},
		DeleteFunc: func(e event.DeleteEvent) bool { return e.DeleteStateUnknown || is(e.Object, class) },
		UpdateFunc: func(e event.UpdateEvent) bool { return updated(e.ObjectOld, e.ObjectNew, class) },
	}
}
