// Misconception: after a conflict the change brings the key.
// Caught by: TestAFailureComesAgainLater
// Message: the belief that a conflict is nothing

//go:build wrong

package result

import (
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

func outcome(err error) (reconcile.Result, error) {
	if seconds, ok := apierrors.SuggestsClientDelay(err); ok && seconds > 0 {
		return reconcile.Result{RequeueAfter: time.Duration(seconds) * time.Second}, nil
	}
	if apierrors.IsConflict(err) {
		return reconcile.Result{}, nil // wrong
	}
	return reconcile.Result{}, unlessGone(err)
}
