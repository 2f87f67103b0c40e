// Misconception: what has to go first is looked for again, to be sure.
// Caught by: TestAfterAnother
// Message: the belief that what is watched has to be asked for

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
	if there, err := r.predecessor(ctx, object); err != nil {
		return reconcile.Result{}, err
	} else if there {
		return reconcile.Result{RequeueAfter: AskAgain}, nil // wrong: a change brings the key
	}
	return r.ask(ctx, request.NamespacedName, object)
}
