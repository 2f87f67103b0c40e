// Misconception: a version that has expired has the reason Expired.
// Caught by: TestTwoReasonsForOneThing
// Message: the belief that a 410 has one reason

//go:build wrong

package policy

import (
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func unavailable(err error) bool {
	return apierrors.IsResourceExpired(err) ||
		apierrors.HasStatusCause(err, metav1.CauseTypeResourceVersionTooLarge)
}
