package deletion

import (
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/14-owned-objects/owned"
)

// SetKey is the finalizer of the controller of sets.
const SetKey = "scratch.example.com/processset"

// Owned are chapter 14's parts for a controller behind a guard: it makes nothing for a set without the finalizer.
func Owned() owned.Parts {
	parts := owned.Ours()
	parts.May = func(set *v1alpha1.ProcessSet) bool { return Holds(SetKey, set) }
	return parts
}

// Set guards the sets of a controller of these parts. A set is there until its last Process is gone.
func Set(over client.Client, live client.Reader, next reconcile.Reconciler, p Pieces) *Guard {
	order := p.orOurs().Order(&Order{Live: live, Over: over})
	return &Guard{Key: SetKey, Over: over, Live: live, Next: next,
		New: func() client.Object { return new(v1alpha1.ProcessSet) }, Clean: Steps{{"DeleteProcesses", order}}}
}
