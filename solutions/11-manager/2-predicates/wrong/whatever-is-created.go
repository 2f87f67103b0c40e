// Breaks: What is created leads to a run if it is ours, also if it is of the initial list, or is being deleted.
// Caught by: TestCreations
// Message: create theirs

//go:build wrong

package predicates

import (
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
)

func New(class string) predicate.Predicate {
	return predicate.Funcs{
		DeleteFunc: func(e event.DeleteEvent) bool { return e.DeleteStateUnknown || is(e.Object, class) },
		UpdateFunc: func(e event.UpdateEvent) bool { return updated(e.ObjectOld, e.ObjectNew, class) },
	}
}
