// Misconception: of what is being deleted the finalizers alone matter.
// Caught by: TestWhatIsBeingDeleted
// Message: Points to: the belief that of what is being deleted the finalizers alone matter. The controller may be told
// how it is to clean up
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
		CreateFunc: func(e event.CreateEvent) bool { return ours(e.Object) },
		DeleteFunc: func(e event.DeleteEvent) bool { return e.DeleteStateUnknown || ours(e.Object) },
		UpdateFunc: func(e event.UpdateEvent) bool {
			was, is := ours(e.ObjectOld), ours(e.ObjectNew)
			if !was || !is {
				return was != is
			}
			return changed(e.ObjectOld, e.ObjectNew)
		},
		GenericFunc: func(event.GenericEvent) bool { return true },
	}
}

func changed(old, new client.Object) bool {
	switch {
	case old.GetUID() != new.GetUID(), // another object
		old.GetResourceVersion() == new.GetResourceVersion(), // resync
		old.GetGeneration() != new.GetGeneration(),           // spec, or the deletion has begun
		new.GetGeneration() == 0:                             // nobody knows
		return true
	}
	if !new.GetDeletionTimestamp().IsZero() {
		// On its way out: we wait for the other finalizers.
		return !slices.Equal(old.GetFinalizers(), new.GetFinalizers())
	}
	return !maps.Equal(read(old), read(new))
}

// read is what the controller reads of the annotations.
func read(o client.Object) map[string]string {
	m := map[string]string{}
	for k, v := range o.GetAnnotations() {
		if strings.HasPrefix(k, Prefix) {
			m[k] = v
		}
	}
	return m
}
