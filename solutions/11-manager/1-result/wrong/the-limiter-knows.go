// Misconception: a refusal is a failure like any other.
// Caught by: TestARefusalWithATime
// Message: the belief that the limiter knows best

//go:build wrong

package result

import "sigs.k8s.io/controller-runtime/pkg/reconcile"

func outcome(err error) (reconcile.Result, error) {
	return reconcile.Result{}, unlessGone(err)
}
