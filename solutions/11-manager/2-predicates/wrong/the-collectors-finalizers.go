// Misconception: the finalizers of the garbage collector are nobody's business.
// Caught by: TestWhatIsBeingDeleted
// Message: Points to: the belief that the garbage collector's finalizers are nobody's business. When one goes, what
// depended on the object is gone, too
// Removes: is, updated, matters

//go:build wrong

package predicates

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
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
			return e.ObjectOld.GetUID() != e.ObjectNew.GetUID() ||
				e.ObjectOld.GetResourceVersion() == e.ObjectNew.GetResourceVersion() ||
				e.ObjectOld.GetGeneration() != e.ObjectNew.GetGeneration() ||
				e.ObjectNew.GetGeneration() == 0 ||
				!maps.Equal(read(e.ObjectOld), read(e.ObjectNew)) ||
				e.ObjectNew.GetDeletionTimestamp() != nil &&
					!slices.Equal(others(e.ObjectOld), others(e.ObjectNew))
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

// others gives the finalizers of controllers. The two of the API server only say how the dependents are dealt with.
func others(o client.Object) []string {
	return slices.DeleteFunc(slices.Clone(o.GetFinalizers()), func(f string) bool {
		return f == metav1.FinalizerDeleteDependents || f == metav1.FinalizerOrphanDependents
	})
}
