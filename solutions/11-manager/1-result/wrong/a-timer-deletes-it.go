// Misconception: what is read once can be acted upon when the moment has come.
// Caught by: TestTheMoment
// Message: its moment is at 1h0m0s: the runs are a at 0s, a at 1h0m0s

//go:build wrong

package result

import (
	"context"
	"time"

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
		time.AfterFunc(wait, func() { // wrong: nobody looks again
			_ = r.Writer.Delete(context.WithoutCancel(ctx), request.NamespacedName, preconditions(object))
		})
		return reconcile.Result{}, nil
	}
	if there, err := r.predecessor(ctx, object); there || err != nil {
		return reconcile.Result{}, err
	}
	return r.ask(ctx, request.NamespacedName, object)
}
