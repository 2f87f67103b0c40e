// Breaks: What is deleted leads to a run if it was ours.
// Caught by: TestDeletions
// Message: delete theirs

//go:build wrong

package predicates

import (
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
)

func New(class string) predicate.Predicate {
	return predicate.Funcs{
		CreateFunc: func(e event.CreateEvent) bool { return is(e.Object, class) },
		UpdateFunc: func(e event.UpdateEvent) bool { return updated(e.ObjectOld, e.ObjectNew, class) },
	}
}
