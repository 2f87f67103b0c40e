package writes_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/12-writes/writes"
)

func web() *v1alpha1.Process {
	return &v1alpha1.Process{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "web", UID: "u1"},
		Spec: v1alpha1.ProcessSpec{Command: "sleep"}}
}

func request() (r reconcile.Request) {
	r.NamespacedName = client.ObjectKeyFromObject(web())
	return r
}

// reads is a reader that hands out one object and no copy of it, as some caches do.
type reads struct {
	client.Reader
	object *v1alpha1.Process
}

func (r reads) Get(_ context.Context, _ client.ObjectKey, into client.Object, _ ...client.GetOption) error {
	*into.(*v1alpha1.Process) = *r.object // what is below is shared
	return nil
}

// What a run does to its object does not reach what the reader shares.
func TestARunHasACopy(t *testing.T) {
	over := memory(web())
	kept := &v1alpha1.Process{}
	require.NoError(t, over.Get(t.Context(), request().NamespacedName, kept))
	kept.Labels = map[string]string{"a": "x"}
	was := kept.DeepCopy()
	base := writes.New(over, func(_ context.Context, p *v1alpha1.Process) (r reconcile.Result, err error) {
		p.Labels["a"] = "another"
		p.Status.Restarts++
		return r, nil
	})
	base.Reader = reads{object: kept}
	_, err := base.Reconcile(t.Context(), request())
	require.NoError(t, err)
	require.Equal(t, was, kept)
}

// What a run returns goes to the controller, unless saving fails; what it has changed is saved also if it fails.
func TestWhatARunReturns(t *testing.T) {
	later, failure := reconcile.Result{RequeueAfter: time.Hour}, errors.New("the disk is full")
	for name, c := range map[string]struct {
		result reconcile.Result
		err    error
	}{"nothing": {}, "a time": {result: later}, "a failure": {err: failure}, "both": {later, failure}} {
		over := memory(web())
		base := writes.New(over, func(_ context.Context, p *v1alpha1.Process) (reconcile.Result, error) {
			p.Status.Restarts = 7
			return c.result, c.err
		})
		result, err := base.Reconcile(t.Context(), request())
		if c.err == nil {
			require.NoError(t, err, name)
			require.Equal(t, c.result, result, name)
		} else {
			require.ErrorIs(t, err, failure, name)
			require.Zero(t, result, name)
		}
		var now v1alpha1.Process
		require.NoError(t, over.Get(t.Context(), request().NamespacedName, &now))
		require.Equal(t, int32(7), now.Status.Restarts, name)
	}
}

// An object that is gone is no run and no failure. A conflict is a failure that can be recognised, and with it the
// result is nothing.
func TestGoneAndChanged(t *testing.T) {
	over, runs := memory(), 0
	base := writes.New(over, func(ctx context.Context, p *v1alpha1.Process) (reconcile.Result, error) {
		runs++
		other := p.DeepCopy()
		other.Labels = map[string]string{"by": "somebody"}
		p.Status.Restarts++
		return reconcile.Result{RequeueAfter: time.Hour}, over.Update(ctx, other)
	})
	result, err := base.Reconcile(t.Context(), request())
	require.NoError(t, err)
	require.Zero(t, result)
	require.Zero(t, runs)

	require.NoError(t, over.Create(t.Context(), web()))
	result, err = base.Reconcile(t.Context(), request())
	require.True(t, apierrors.IsConflict(err), "%v", err)
	require.Zero(t, result)
	require.Equal(t, 1, runs, "nothing is tried twice in one run")
}

// A TerminalError of a run says that it can't succeed. It does not keep the save from being tried again.
func TestATerminalErrorAndAConflict(t *testing.T) {
	over, failure, runs := memory(web()), errors.New("no such command"), 0
	base := writes.New(over, func(ctx context.Context, p *v1alpha1.Process) (r reconcile.Result, err error) {
		other := p.DeepCopy()
		other.Labels = map[string]string{"by": "somebody"}
		p.Status.Phase = v1alpha1.PhaseFailed
		if runs++; runs == 1 {
			err = over.Update(ctx, other)
		}
		return r, errors.Join(reconcile.TerminalError(failure), err)
	})
	_, err := base.Reconcile(t.Context(), request())
	require.True(t, apierrors.IsConflict(err), "%v", err)
	require.NotErrorIs(t, err, reconcile.TerminalError(nil))
	require.ErrorContains(t, err, failure.Error())
	_, err = base.Reconcile(t.Context(), request())
	require.ErrorIs(t, err, failure)
	require.ErrorIs(t, err, reconcile.TerminalError(nil))
}

// Another way to save can take Save's place.
func TestAnotherWayToSave(t *testing.T) {
	over, saved := memory(web()), 0
	base := writes.New(over, func(context.Context, *v1alpha1.Process) (r reconcile.Result, err error) { return r, nil })
	base.Saves = func(_ context.Context, _ writes.Writer, before, after client.Object) error {
		saved++
		require.Equal(t, before, after)
		require.NotSame(t, before, after)
		return nil
	}
	_, err := base.Reconcile(t.Context(), request())
	require.NoError(t, err)
	require.Equal(t, 1, saved)
}
