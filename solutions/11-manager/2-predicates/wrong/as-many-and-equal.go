// Misconception: as many keys, and none with another value, is the same map.
// Caught by: TestOurAnnotations
// Message: Points to: the belief that an annotation that is not there and an empty one are the same. A map returns ""
// for both
// Removes: is, updated, matters

//go:build wrong

package predicates

import (
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
	"slices"
	"strings"
)

func New(class string) predicate.Predicate {
	ours := func(o client.Object) bool { return o.GetLabels()[Class] == class }
	return predicate.Funcs{
		CreateFunc:  func(e event.CreateEvent) bool { return ours(e.Object) },
		DeleteFunc:  func(e event.DeleteEvent) bool { return e.DeleteStateUnknown || ours(e.Object) },
		GenericFunc: func(event.GenericEvent) bool { return true },
		UpdateFunc: func(e event.UpdateEvent) bool {
			was, is := ours(e.ObjectOld), ours(e.ObjectNew)
			if was != is {
				return true
			}
			return is && changed(e.ObjectOld, e.ObjectNew)
		},
	}
}

func changed(old, obj client.Object) bool {
	if old.GetUID() != obj.GetUID() || old.GetResourceVersion() == obj.GetResourceVersion() {
		return true
	}
	if obj.GetGeneration() == 0 || old.GetGeneration() != obj.GetGeneration() {
		return true
	}
	before, after := read(old), read(obj)
	if len(before) != len(after) {
		return true
	}
	for k, v := range before {
		if after[k] != v {
			return true
		}
	}
	return obj.GetDeletionTimestamp() != nil && !slices.Equal(old.GetFinalizers(), obj.GetFinalizers())
}

func read(o client.Object) map[string]string {
	own := map[string]string{}
	for k, v := range o.GetAnnotations() {
		if strings.HasPrefix(k, Prefix) {
			own[k] = v
		}
	}
	return own
}
