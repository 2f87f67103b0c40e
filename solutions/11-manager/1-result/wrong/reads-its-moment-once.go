// Misconception: the moment of an object is read once.
// Caught by: TestAMomentThatMoves
// Message: the belief that what was read once stays so

//go:build wrong

package result

import (
	"context"
	"time"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

func (r *Reconciler) Reconcile(ctx context.Context, request reconcile.Request) (reconcile.Result, error) {
	object, err := r.Reader.Get(ctx, request.NamespacedName)
	if err != nil {
		return reconcile.Result{}, unlessGone(err)
	}
	if !marked(object) {
		return reconcile.Result{}, nil
	}
	wait, err := r.remaining(request.NamespacedName, object)
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

	moments map[Key]time.Time
}

func (r *Reconciler) remaining(key Key, object *corev1.ConfigMap) (time.Duration, error) {
	if moment, ok := r.moments[key]; ok {
		return time.Until(moment), nil // wrong: it may have been moved
	}
	wait, err := remaining(object)
	if err == nil && wait > 0 {
		if r.moments == nil {
			r.moments = map[Key]time.Time{}
		}
		r.moments[key] = time.Now().Add(wait)
	}
	return wait, err
}
