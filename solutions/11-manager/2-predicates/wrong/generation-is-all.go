// Misconception: the generation says whether something matters.
// Caught by: TestOurAnnotations
// Message: update ours v=1 -> ours v=2 note:scratch.example.com/pause=yes
// Removes: read

//go:build wrong

package predicates

import (
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
)

func matters(before, after client.Object) bool {
	return predicate.GenerationChangedPredicate{}.Update(event.UpdateEvent{ObjectOld: before,
		ObjectNew: after}) // wrong
}
