// Breaks: What is done. It is the first of these that applies:
// Caught by: TestTheFirstThatApplies
// Message: it is decided without the Keeper, which is not asked
// Removes: Reconciler.ask

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
	needed, err := r.Keeper.Needs(ctx, request.NamespacedName) // wrong: it may be too early for that
	if err != nil {
		return reconcile.Result{}, err
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
	if needed {
		return reconcile.Result{RequeueAfter: AskAgain}, nil
	}
	return outcome(r.Writer.Delete(ctx, request.NamespacedName, preconditions(object)))
}
