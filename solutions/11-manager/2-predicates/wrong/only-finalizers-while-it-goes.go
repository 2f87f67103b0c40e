// Misconception: of what is being deleted only finalizers and annotations matter.
// Caught by: TestWhatElseChanges
// Message: Points to: the belief that of what is being deleted finalizers and annotations alone matter. It may wait
// long for others
// Removes: is, updated, matters

//go:build wrong

package predicates

import (
	"maps"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
	"slices"
	"strings"
)

// New makes the predicate of the controller that looks after the objects of one class.
func New(class string) predicate.Predicate {
	ours := func(o client.Object) bool { return o.GetLabels()[Class] == class }
	return predicate.Funcs{
		CreateFunc:  func(e event.CreateEvent) bool { return ours(e.Object) },
		DeleteFunc:  func(e event.DeleteEvent) bool { return e.DeleteStateUnknown || ours(e.Object) },
		GenericFunc: func(event.GenericEvent) bool { return true },
		UpdateFunc: func(e event.UpdateEvent) bool {
			was, is := ours(e.ObjectOld), ours(e.ObjectNew)
			if !was || !is {
				return was != is
			}
			switch {
			case e.ObjectOld.GetUID() != e.ObjectNew.GetUID(),
				e.ObjectOld.GetResourceVersion() == e.ObjectNew.GetResourceVersion(),
				e.ObjectOld.GetGeneration() != e.ObjectNew.GetGeneration(),
				!maps.Equal(read(e.ObjectOld), read(e.ObjectNew)):
				return true
			case e.ObjectOld.GetDeletionTimestamp() != nil:
				// It was on its way out already.
				return !slices.Equal(e.ObjectOld.GetFinalizers(), e.ObjectNew.GetFinalizers())
			case e.ObjectNew.GetGeneration() == 0:
				return true
			default:
				return e.ObjectNew.GetDeletionTimestamp() != nil &&
					!slices.Equal(e.ObjectOld.GetFinalizers(), e.ObjectNew.GetFinalizers())
			}
		},
	}
}

// read gives the annotations that the controller reads.
func read(o client.Object) map[string]string {
	m := map[string]string{}
	for k, v := range o.GetAnnotations() {
		if strings.HasPrefix(k, Prefix) {
			m[k] = v
		}
	}
	return m
}
