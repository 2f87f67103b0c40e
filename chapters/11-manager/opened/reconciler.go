package opened

import (
	"context"
	"fmt"

	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

// Reconciler runs inner, and records that a run begins and what it returned: "returns", and "error: no", "RequeueAfter
// 1m0s", "Requeue" or "panic: no", if it is one of these.
func (r *Record) Reconciler(name string, inner reconcile.Reconciler) reconcile.Reconciler {
	note := func(what, item string) { r.Note(Event{Part: Reconcilers, Name: name, What: what, Item: item}) }
	return reconcile.Func(func(ctx context.Context, request reconcile.Request) (result reconcile.Result, err error) {
		key := keyOf(request)
		note("runs", key)
		defer func() {
			if p := recover(); p != nil {
				note("panics", key)
				panic(p)
			}
			note("returns "+outcome(result, err), key)
		}()
		return inner.Reconcile(ctx, request)
	})
}

// outcome says what a run returned: an error, a Result, or nothing in particular.
func outcome(result reconcile.Result, err error) string {
	switch {
	case err != nil && !result.IsZero():
		return fmt.Sprintf("a Result and the error %q, for", err)
	case err != nil:
		return fmt.Sprintf("the error %q, for", err)
	case result.RequeueAfter > 0:
		return fmt.Sprintf("RequeueAfter %s, for", result.RequeueAfter)
	//lint:ignore SA1019 it is still there
	case result.Requeue:
		return "Requeue, for"
	}
	return "nil, for"
}
