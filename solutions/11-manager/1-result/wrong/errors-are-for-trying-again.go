// Misconception: an error brings the key again, and since that does not help here there is none.
// Caught by: TestNoMoment
// Message: the belief that an error is for trying again alone

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
		return reconcile.Result{}, nil // wrong: nobody hears of it
	}
	if wait > 0 {
		return reconcile.Result{RequeueAfter: wait}, nil
	}
	if there, err := r.predecessor(ctx, object); there || err != nil {
		return reconcile.Result{}, err
	}
	return r.ask(ctx, request.NamespacedName, object)
}
