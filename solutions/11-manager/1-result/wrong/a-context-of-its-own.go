// Breaks: They get ctx, or one that is made from it and ends when it does.
// Caught by: TestTheEndOfTheContext
// Message: the ctx that it got has ended

//go:build wrong

package result

import (
	"context"

	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

func (r Reconciler) Reconcile(ctx context.Context, request reconcile.Request) (reconcile.Result, error) {
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
	return r.ask(context.WithoutCancel(ctx), request.NamespacedName, object)
}
