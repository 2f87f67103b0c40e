// Misconception: append makes a new slice.
// Caught by: TestWhatIsBeingDeleted
// Message: Happened: one was changed
// Removes: is, updated, matters, read

//go:build wrong

package predicates

import (
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
			before, after := e.ObjectOld, e.ObjectNew
			if was, is := ours(before), ours(after); !was || !is {
				return was != is
			}
			switch {
			case before.GetUID() != after.GetUID():
				return true
			case before.GetResourceVersion() == after.GetResourceVersion():
				return true
			case before.GetGeneration() != after.GetGeneration() || after.GetGeneration() == 0:
				return true
			case annotationsChanged(before.GetAnnotations(), after.GetAnnotations()):
				return true
			}
			return after.GetDeletionTimestamp() != nil &&
				finalizersChanged(before.GetFinalizers(), after.GetFinalizers())
		},
	}
}

// annotationsChanged says whether an annotation that we read is new, gone, or has another value.
func annotationsChanged(before, after map[string]string) bool {
	for k, v := range after {
		if w, ok := before[k]; strings.HasPrefix(k, Prefix) && (!ok || v != w) {
			return true
		}
	}
	for k := range before {
		if _, ok := after[k]; strings.HasPrefix(k, Prefix) && !ok {
			return true
		}
	}
	return false
}

// finalizersChanged says whether there are others, in whatever order.
func finalizersChanged(before, after []string) bool {
	if slices.Equal(before, after) {
		return false
	}
	all := append(before, after...)
	slices.Sort(all)
	different := 0
	for i := range all {
		if i == 0 || all[i] != all[i-1] {
			different++
		}
	}
	return different != len(before) || different != len(after)
}
