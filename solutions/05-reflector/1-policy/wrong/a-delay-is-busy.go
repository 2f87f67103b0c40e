// Misconception: a server that says when to come back is busy.
// Caught by: TestOtherErrors
// Message: the belief that a server which says when to come back is busy

//go:build wrong

package policy

import (
	"errors"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
)

func busyOrAway(err error) bool {
	_, later := apierrors.SuggestsClientDelay(err)
	return apierrors.IsTooManyRequests(err) || later || errors.Is(err, ErrRefused)
}
