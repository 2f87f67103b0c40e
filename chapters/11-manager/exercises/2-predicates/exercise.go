// Package predicates says which events lead to a run of a controller.
package predicates

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
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
func New(class string) predicate.Predicate {
	// TODO: say yes or no to each event
	var _ client.Object = (*metav1.PartialObjectMetadata)(nil)
	return predicate.Funcs{CreateFunc: func(event.CreateEvent) bool { return false }}
}
