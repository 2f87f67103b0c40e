// Misconception: what kind of error it is, the code says.
// Caught by: TestAStatusWithoutACode
// Message: the belief that a status is its code

//go:build wrong

package policy

import (
	"errors"
	"net/http"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func unavailable(err error) bool {
	return code(err) == http.StatusGone || apierrors.HasStatusCause(err, metav1.CauseTypeResourceVersionTooLarge)
}

func busyOrAway(err error) bool {
	return code(err) == http.StatusTooManyRequests || errors.Is(err, ErrRefused)
}

func code(err error) int32 {
	var status *apierrors.StatusError
	if !errors.As(err, &status) {
		return 0
	}
	return status.ErrStatus.Code
}
