// Misconception: when the key comes, its moment is past, and if not, a RequeueAfter of zero brings it at once.
// Caught by: TestTheMoment
// Message: the belief that a RequeueAfter of zero or less comes at once

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
	if wait >= 0 { // wrong: zero says that nothing is to come
		return reconcile.Result{RequeueAfter: wait}, nil
	}
	if there, err := r.predecessor(ctx, object); there || err != nil {
		return reconcile.Result{}, err
	}
	return r.ask(ctx, request.NamespacedName, object)
}
