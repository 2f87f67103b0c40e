package owned_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"pgregory.net/rapid"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/14-owned-objects/owned"
)

// ranked is a child with what Rank looks at.
func ranked(name string, phase v1alpha1.Phase, restarts int32, second int) *v1alpha1.Process {
	return child(name, func(p *v1alpha1.Process) {
		p.Status.Phase, p.Status.Restarts = phase, restarts
		p.CreationTimestamp = metav1.NewTime(time.Date(2026, 1, 2, 3, 4, second, 0, time.UTC))
	})
}

// called are the names in their order.
func called(all []*v1alpha1.Process) (names []string) {
	for _, p := range all {
		names = append(names, p.Name)
	}
	return names
}

// Each rule alone decides, and none that comes later says otherwise: what goes first is worse in it, and better in all
// that follow.
func TestEachRuleOfRank(t *testing.T) {
	const (
		pending, running, restarting = v1alpha1.PhasePending, v1alpha1.PhaseRunning, v1alpha1.PhaseRestarting
		succeeded, failed            = v1alpha1.PhaseSucceeded, v1alpha1.PhaseFailed
	)
	for name, c := range map[string]struct{ first, last *v1alpha1.Process }{
		"failed, not said":        {ranked("a", failed, 0, 1), ranked("b", "", 1, 2)},
		"succeeded, pending":      {ranked("a", succeeded, 0, 1), ranked("b", pending, 1, 2)},
		"not said, restarting":    {ranked("a", "", 0, 1), ranked("b", restarting, 1, 2)},
		"pending, restarting":     {ranked("a", pending, 0, 1), ranked("b", restarting, 1, 2)},
		"restarting, running":     {ranked("a", restarting, 0, 1), ranked("b", running, 1, 2)},
		"more restarts":           {ranked("a", running, 3, 1), ranked("b", running, 2, 2)},
		"younger":                 {ranked("a", running, 2, 2), ranked("b", running, 2, 1)},
		"the higher name":         {ranked("b", running, 2, 1), ranked("a", running, 2, 1)},
		"failed, and succeeded":   {ranked("b", failed, 2, 1), ranked("a", succeeded, 2, 1)},
		"succeeded, and failed":   {ranked("b", succeeded, 2, 1), ranked("a", failed, 2, 1)},
		"pending, and not said":   {ranked("b", pending, 2, 1), ranked("a", "", 2, 1)},
		"an older one that fails": {ranked("a", failed, 0, 1), ranked("b", running, 9, 2)},
	} {
		for _, all := range [][]*v1alpha1.Process{{c.first, c.last}, {c.last, c.first}} {
			owned.Rank(all)
			require.Equal(t, []string{c.first.Name, c.last.Name}, called(all), name)
		}
	}
}

// The order is the same in whatever order the children come, and also that of any two of them alone. So whoever deletes
// the first so many again, from the same children, deletes no others.
func TestRankIsOneOrder(t *testing.T) {
	phases := []v1alpha1.Phase{"", v1alpha1.PhasePending, v1alpha1.PhaseRunning, v1alpha1.PhaseRestarting,
		v1alpha1.PhaseSucceeded, v1alpha1.PhaseFailed}
	rapid.Check(t, func(t *rapid.T) {
		var all []*v1alpha1.Process
		for i := range rapid.IntRange(0, 12).Draw(t, "children") {
			all = append(all, ranked(owned.Name("web", i), rapid.SampledFrom(phases).Draw(t, "phase"),
				rapid.Int32Range(0, 2).Draw(t, "restarts"), rapid.IntRange(0, 2).Draw(t, "second")))
		}
		otherwise := rapid.Permutation(all).Draw(t, "otherwise")
		owned.Rank(all)
		owned.Rank(otherwise)
		require.Equal(t, called(all), called(otherwise))
		for i := range all {
			for j := range i {
				two := []*v1alpha1.Process{all[i], all[j]}
				owned.Rank(two)
				require.Equal(t, []string{all[j].Name, all[i].Name}, called(two))
			}
		}
	})
}
