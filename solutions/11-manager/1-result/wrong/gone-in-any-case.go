// Breaks: After any other error, of the Reader, the Keeper or the Writer, whichever it is: later after each
// Caught by: TestAFailureComesAgainLater
// Message: read a is answered three times

//go:build wrong

package result

import (
	"context"

	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

func (r Reconciler) Reconcile(ctx context.Context, request reconcile.Request) (reconcile.Result, error) {
	object, err := r.Reader.Get(ctx, request.NamespacedName)
	if err != nil {
		return reconcile.Result{}, nil // wrong: it may be there
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
