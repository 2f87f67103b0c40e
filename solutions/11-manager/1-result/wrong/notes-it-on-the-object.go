// Breaks: Nothing that the Reader returns is changed.
// Caught by: TestWhatIsOverIsDeleted
// Message: nothing that the Reader returns is changed

//go:build wrong

package result

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

func (r Reconciler) ask(ctx context.Context, key Key, object *corev1.ConfigMap) (reconcile.Result, error) {
	delete(object.Annotations, After) // wrong: it is dealt with, but the object is the cache's
	needed, err := r.Keeper.Needs(ctx, key)
	if err != nil {
		return reconcile.Result{}, err
	}
	if needed {
		return reconcile.Result{RequeueAfter: AskAgain}, nil
	}
	return outcome(r.Writer.Delete(ctx, key, preconditions(object)))
}
