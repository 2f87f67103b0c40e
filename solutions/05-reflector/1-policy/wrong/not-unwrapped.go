// Misconception: the type of an error says what happened.
// Caught by: TestWrappedErrors
// Message: the belief that the error that arrives is the one that was made

//go:build wrong

package policy

import (
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func unavailable(err error) bool {
	if _, ok := err.(apierrors.APIStatus); !ok {
		return false
	}
	return apierrors.IsResourceExpired(err) || apierrors.IsGone(err) ||
		apierrors.HasStatusCause(err, metav1.CauseTypeResourceVersionTooLarge)
}
