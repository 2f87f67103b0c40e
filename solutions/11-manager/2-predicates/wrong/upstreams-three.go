// Misconception: upstream has a predicate for each thing that may change.
// Caught by: TestOtherMetadata
// Message: label:app=shop
// Removes: read

//go:build wrong

package predicates

import (
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
)

func matters(before, after client.Object) bool {
	return predicate.Or[client.Object]( // wrong: all labels, all annotations
		predicate.GenerationChangedPredicate{},
		predicate.AnnotationChangedPredicate{},
		predicate.LabelChangedPredicate{},
	).Update(event.UpdateEvent{ObjectOld: before, ObjectNew: after})
}
