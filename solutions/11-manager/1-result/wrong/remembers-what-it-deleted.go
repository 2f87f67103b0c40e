// Misconception: what was deleted needs no second look.
// Caught by: TestAnotherOfTheName
// Message: the belief that a name is dealt with once it was dealt with

//go:build wrong

package result

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

func (r *Reconciler) ask(ctx context.Context, key Key, object *corev1.ConfigMap) (reconcile.Result, error) {
	if r.done[key] {
		return reconcile.Result{}, nil // wrong: it may be another one
	}
	needed, err := r.Keeper.Needs(ctx, key)
	if err != nil {
		return reconcile.Result{}, err
	}
	if needed {
		return reconcile.Result{RequeueAfter: AskAgain}, nil
	}
	err = r.Writer.Delete(ctx, key, preconditions(object))
	if err == nil {
		if r.done == nil {
			r.done = map[Key]bool{}
		}
		r.done[key] = true
	}
	return outcome(err)
}

func (r *Reconciler) Reconcile(ctx context.Context, request reconcile.Request) (reconcile.Result, error) {
	object, err := r.Reader.Get(ctx, request.NamespacedName)
	if err != nil {
		return reconcile.Result{}, unlessGone(err)
	}
	if !marked(object) {
		return reconcile.Result{}, nil
	}
	wait, err := remaining(object)
	if err != nil {
		return reconcile.Result{}, reconcile.TerminalError(err)
	}
	if wait > 0 {
		return reconcile.Result{RequeueAfter: wait}, nil
	}
	if there, err := r.predecessor(ctx, object); there || err != nil {
		return reconcile.Result{}, err
	}
	return r.ask(ctx, request.NamespacedName, object)
}

type Reconciler struct {
	Reader Reader
	Writer Writer
	Keeper Keeper
	done   map[Key]bool
}
