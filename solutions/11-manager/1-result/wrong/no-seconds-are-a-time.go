// Breaks: After a refusal of the deletion with a time, a number of seconds above 0 that apierrors.SuggestsClientDelay
// Caught by: TestAFailureComesAgainLater
// Message: delete a is answered three times

//go:build wrong

package result

import (
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

func outcome(err error) (reconcile.Result, error) {
	if seconds, ok := apierrors.SuggestsClientDelay(err); ok {
		return reconcile.Result{RequeueAfter: time.Duration(seconds) * time.Second}, nil
	}
	return reconcile.Result{}, unlessGone(err)
}
