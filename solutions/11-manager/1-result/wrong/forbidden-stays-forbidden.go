// Misconception: what the API server forbids it will forbid again.
// Caught by: TestAFailureComesAgainLater
// Message: the belief that a run knows what can't be mended

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
	if apierrors.IsForbidden(err) || apierrors.IsInvalid(err) {
		return reconcile.Result{}, reconcile.TerminalError(err) // wrong
	}
	return reconcile.Result{}, unlessGone(err)
}
