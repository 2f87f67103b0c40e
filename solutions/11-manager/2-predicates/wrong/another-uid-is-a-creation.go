// Misconception: another UID is a creation, and nothing else.
// Caught by: TestAnotherObjectOfAnotherClass
// Message: Points to: the belief that another UID is a creation and nothing else. The one that was there is gone, and
// it was ours
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

// New makes the predicate of the controller that looks after the objects of one class, of whatever kind.
func New(class string) predicate.Predicate {
	ours := func(o client.Object) bool { return o.GetLabels()[Class] == class }
	return predicate.Funcs{
		CreateFunc:  func(e event.CreateEvent) bool { return ours(e.Object) },
		DeleteFunc:  func(e event.DeleteEvent) bool { return e.DeleteStateUnknown || ours(e.Object) },
		GenericFunc: func(event.GenericEvent) bool { return true },
		UpdateFunc: func(e event.UpdateEvent) bool {
			if e.ObjectOld.GetUID() != e.ObjectNew.GetUID() {
				// Another object of the same name: as good as created.
				return ours(e.ObjectNew)
			}
			was, is := ours(e.ObjectOld), ours(e.ObjectNew)
			if was != is {
				return true
			}
			if !is {
				return false
			}
			return changed(e.ObjectOld, e.ObjectNew)
		},
	}
}

// changed says whether an object that was and is ours has changed in what the controller reads.
func changed(old, new client.Object) bool {
	switch {
	case old.GetResourceVersion() == new.GetResourceVersion():
		return true
	case old.GetGeneration() != new.GetGeneration():
		return true
	case new.GetGeneration() == 0:
		return true
	case annotationsDiffer(old.GetAnnotations(), new.GetAnnotations()):
		return true
	}
	return !new.GetDeletionTimestamp().IsZero() && finalizersDiffer(old.GetFinalizers(), new.GetFinalizers())
}

func annotationsDiffer(old, new map[string]string) bool {
	for k, v := range old {
		if w, ok := new[k]; strings.HasPrefix(k, Prefix) && (!ok || v != w) {
			return true
		}
	}
	for k := range new {
		if _, ok := old[k]; strings.HasPrefix(k, Prefix) && !ok {
			return true
		}
	}
	return false
}

func finalizersDiffer(old, new []string) bool { return !slices.Equal(old, new) }
