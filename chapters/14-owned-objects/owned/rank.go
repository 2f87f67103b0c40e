package owned

import (
	"cmp"
	"slices"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
)

// Rank orders children by who goes first when there are too many: what has ended before what starts, and that before
// what runs; then what was restarted more often, and then what is younger. Names decide between those that are alike,
// so that the same children are ordered in the same way each time: a run that a late cache repeats then deletes the
// same ones again, which is refused, and no further ones.
//
// Upstream's counterpart is k8s.io/kubernetes/pkg/controller.ActivePodsWithRanks, in controller_utils.go.
func Rank(children []*v1alpha1.Process) {
	slices.SortFunc(children, func(a, b *v1alpha1.Process) int {
		return cmp.Or(
			cmp.Compare(use(a), use(b)),
			cmp.Compare(b.Status.Restarts, a.Status.Restarts),
			b.CreationTimestamp.Compare(a.CreationTimestamp.Time),
			cmp.Compare(b.Name, a.Name),
		)
	})
}

// use is how much is lost with a child.
func use(p *v1alpha1.Process) int {
	switch p.Status.Phase {
	case v1alpha1.PhaseFailed, v1alpha1.PhaseSucceeded:
		return 0
	case v1alpha1.PhaseRestarting:
		return 2
	case v1alpha1.PhaseRunning:
		return 3
	default: // pending, or nobody has said
		return 1
	}
}
