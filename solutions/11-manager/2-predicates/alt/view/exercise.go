// Package predicates says which events lead to a run of a controller.
package predicates

import (
	"fmt"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
)

const (
	// Class is the label that says which controller looks after an object.
	Class = "scratch.example.com/class"
	// Prefix is what the keys of the annotations begin with that such a controller reads.
	Prefix = "scratch.example.com/"
)

// New makes the predicate of the controller that looks after the objects of one class, of whatever kind. The class is
// not empty. Each event of an informer is put to it, and those that it refuses lead to no run: nobody tells of them
// again.
//
// Which objects:
//
//   - An object is ours if the value of its label Class is the class.
//   - What is created leads to a run if it is ours, also if it is of the initial list, or is being deleted.
//   - What is deleted leads to a run if it was ours. If DeleteStateUnknown is set it always does: the object is the one
//     that was seen last, and may have changed since.
//   - A generic event always leads to a run. Whoever sends one has decided that.
//   - An update of what was not ours and is not ours leads to none. If the object becomes ours, or ceases to be, it
//     does.
//
// Updates of what was ours and is ours lead to a run if
//
//   - the UID is another: one object was deleted and another one created, and nobody has told of it in between.
//   - the resourceVersion is the same: this is a resync, which was asked for to have everything looked at again.
//   - the generation is another, as after a change of the spec, or when a deletion has begun.
//   - the generation is 0: a kind without generations, of which nobody knows what has changed.
//   - an annotation whose key begins with Prefix is new, is gone, or has another value.
//   - the new object is being deleted, and its finalizers are others: somebody else may have finished. The same ones in
//     another order may count as others, or not.
//
// All other updates lead to none: those of the status, whoever has written it, of other labels and annotations, of
// finalizers before the deletion, of managedFields, of owners.
//
// How:
//
//   - It decides from the event, and from nothing else. Several informers may ask at one time.
//   - It changes nothing: the objects are those of the cache.
func New(class string) predicate.Predicate { return ofClass(class) }

// ofClass is a predicate that compares what the controller reads of an object.
type ofClass string

// Create implements predicate.Predicate.
func (c ofClass) Create(e event.CreateEvent) bool { return c.view(e.Object) != "" }

// Delete implements predicate.Predicate.
func (c ofClass) Delete(e event.DeleteEvent) bool {
	if e.DeleteStateUnknown {
		return true
	}
	return c.view(e.Object) != ""
}

// Generic implements predicate.Predicate.
func (ofClass) Generic(event.GenericEvent) bool { return true }

// Update implements predicate.Predicate.
func (c ofClass) Update(e event.UpdateEvent) bool {
	before, after := c.view(e.ObjectOld), c.view(e.ObjectNew)
	again := e.ObjectOld.GetResourceVersion() == e.ObjectNew.GetResourceVersion()
	return before != after || after != "" && (again || e.ObjectNew.GetGeneration() == 0)
}

// view is what the controller reads of an object, as text, and "" of one that is not its own.
func (c ofClass) view(object metav1.Object) string {
	if class, ok := object.GetLabels()[Class]; !ok || class != string(c) {
		return ""
	}
	parts := []string{fmt.Sprintf("%q %d", object.GetUID(), object.GetGeneration())}
	for key, value := range object.GetAnnotations() {
		if strings.HasPrefix(key, Prefix) {
			parts = append(parts, fmt.Sprintf("%q is %q", key, value))
		}
	}
	slices.Sort(parts)
	if object.GetDeletionTimestamp() != nil {
		parts = append(parts, fmt.Sprintf("going, once these have: %q", object.GetFinalizers()))
	}
	return strings.Join(parts, " ")
}
