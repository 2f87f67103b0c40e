// Misconception: RequeueAfter is how a key comes again, also after a failure.
// Caught by: TestAFailureComesAgainLater
// Message: the belief that RequeueAfter is for failures, too

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
	if unlessGone(err) != nil {
		return reconcile.Result{RequeueAfter: time.Second}, nil // wrong: it counts no failures
	}
	return reconcile.Result{}, nil
}
