// Misconception: whose the object is settles whether there is a run, for each kind of event.
// Caught by: TestDeletions
// Message: the belief that the object of a deletion is what was deleted

//go:build wrong

package predicates

import (
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
)

func New(class string) predicate.Predicate {
	return predicate.And(
		predicate.NewPredicateFuncs(func(o client.Object) bool { return is(o, class) }),
		// wrong: it looks at the new object, and always
		predicate.Funcs{UpdateFunc: func(e event.UpdateEvent) bool { return updated(e.ObjectOld, e.ObjectNew, class) }},
	)
}
