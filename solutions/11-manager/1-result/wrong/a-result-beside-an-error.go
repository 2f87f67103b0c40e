// Misconception: the error is for the log, and the Result for the queue.
// Caught by: TestARefusalWithATime
// Message: the belief that the controller looks at a Result that has an error beside it

//go:build wrong

package result

import (
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

func outcome(err error) (reconcile.Result, error) {
	if seconds, ok := apierrors.SuggestsClientDelay(err); ok && seconds > 0 {
		return reconcile.Result{RequeueAfter: time.Duration(seconds) * time.Second}, err // wrong
	}
	return reconcile.Result{}, unlessGone(err)
}
