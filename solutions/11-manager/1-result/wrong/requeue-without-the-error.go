// Breaks: If there was a failure, its error, bare or wrapped, so that errors.Is finds it.
// Caught by: TestAFailureComesAgainLater
// Message: it is returned

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
	return reconcile.Result{Requeue: unlessGone(err) != nil}, nil // wrong: nobody hears of it
}
