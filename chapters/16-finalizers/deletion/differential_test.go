package deletion_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/finalizer"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/16-finalizers/deletion"
)

// upstream is the guard as controller-runtime's package finalizer has it: its Finalizers, and what its caller does with
// the result. The steps are ours, which it takes for one of its own.
type upstream struct {
	*server
	all finalizer.Finalizers
}

func newUpstream(t *testing.T, s *server, clean finalizer.Finalizer) upstream {
	t.Helper()
	all := finalizer.NewFinalizers()
	require.NoError(t, all.Register(key, clean))
	return upstream{s, all}
}

// Reconcile implements reconcile.Reconciler.
func (u upstream) Reconcile(ctx context.Context, request reconcile.Request) (r reconcile.Result, err error) {
	var p v1alpha1.Process
	if err := u.Get(ctx, request.NamespacedName, &p); err != nil {
		return r, client.IgnoreNotFound(err)
	}
	result, err := u.all.Finalize(ctx, &p)
	if result.StatusUpdated {
		status := p.DeepCopy()
		err = errors.Join(err, u.Status().Update(ctx, status))
		p.ResourceVersion = status.ResourceVersion
	}
	if result.Updated {
		err = errors.Join(err, client.IgnoreNotFound(u.Update(ctx, &p)))
	}
	return r, err
}

// The guard and upstream's package do the same to the same objects, with clean-ups that fail at random: the same
// finalizers, the same conditions, and as many clean-ups. Upstream's needs more of its caller: it adds the finalizer in
// the run in which the rest is made, tells a wait from a failure by nothing, and has no lock but the update's.
func TestAsUpstream(t *testing.T) {
	for seed := range uint64(200) {
		draw := rand.New(rand.NewPCG(seed, 7))
		object := process()
		if draw.IntN(2) == 0 {
			object = going(other)
		}
		for _, k := range []string{key, other} {
			if draw.IntN(2) == 0 && !slices.Contains(object.Finalizers, k) {
				object.Finalizers = append(object.Finalizers, k)
			}
		}
		fails := make([]error, 4)
		for i := range fails[:3] {
			fails[i] = []error{nil, errors.New("no"), &deletion.Waiting{For: "it"}}[draw.IntN(3)]
		}
		outcome := func(make func(s *server, clean finalizer.Finalizer) reconcile.Reconciler) (is string) {
			s, calls := newServer(t, object.DeepCopy()), 0
			r := make(s, deletion.Steps{{Name: "A", Do: func(context.Context, client.Object) error {
				calls++
				return fails[calls-1]
			}}})
			for range fails { // what fails comes again
				_, _ = r.Reconcile(t.Context(), request())
			}
			if p := s.get(); p != nil {
				slices.Sort(p.Finalizers)
				for i := range p.Status.Conditions {
					p.Status.Conditions[i].LastTransitionTime = metav1.Time{}
				}
				is = fmt.Sprint(p.Finalizers, p.Status.Conditions)
			}
			return fmt.Sprint(is, calls, " clean-ups")
		}
		theirs := outcome(func(s *server, c finalizer.Finalizer) reconcile.Reconciler { return newUpstream(t, s, c) })
		ours := outcome(func(s *server, c finalizer.Finalizer) reconcile.Reconciler {
			g := s.guard()
			g.Clean = c
			return g
		})
		require.Equal(t, theirs, ours, "seed %d: %v %v", seed, object.ObjectMeta, fails)
	}
}
