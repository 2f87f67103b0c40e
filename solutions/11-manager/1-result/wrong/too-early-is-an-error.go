// Misconception: what could not be done is an error, and errors come again.
// Caught by: TestTheMoment
// Message: the belief that it is a failure to be too early

//go:build wrong

package result

import (
	"context"
	"fmt"

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
		return reconcile.Result{}, fmt.Errorf("%s has %v left", request, wait) // wrong
	}
	if there, err := r.predecessor(ctx, object); there || err != nil {
		return reconcile.Result{}, err
	}
	return r.ask(ctx, request.NamespacedName, object)
}
