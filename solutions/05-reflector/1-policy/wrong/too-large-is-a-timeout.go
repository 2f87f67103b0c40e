// Misconception: a version that is too large is a timeout, with a cause that explains it.
// Caught by: TestAVersionThatHasExpired
// Message: the belief that a version that is too large is a timeout

//go:build wrong

package policy

import (
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func unavailable(err error) bool {
	return apierrors.IsResourceExpired(err) || apierrors.IsGone(err) ||
		apierrors.IsTimeout(err) && apierrors.HasStatusCause(err, metav1.CauseTypeResourceVersionTooLarge)
}
