// Breaks: After a refusal of the deletion with a time, a number of seconds above 0 that apierrors.SuggestsClientDelay
// Caught by: TestARefusalWithATime
// Message: ask for 20s

//go:build wrong

package result

import (
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

func outcome(err error) (reconcile.Result, error) {
	if seconds, ok := apierrors.SuggestsClientDelay(err); ok && seconds > 0 && apierrors.IsTooManyRequests(err) {
		return reconcile.Result{RequeueAfter: time.Duration(seconds) * time.Second}, nil
	}
	return reconcile.Result{}, unlessGone(err)
}
