// Misconception: errors.As finds each error of a type that there is.
// Caught by: TestABusyServer
// Message: the belief that errors.As finds each error of a type

//go:build wrong

package policy

import (
	"errors"
	"syscall"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
)

func busyOrAway(err error) bool {
	var number syscall.Errno
	return apierrors.IsTooManyRequests(err) || errors.As(err, &number) && number == ErrRefused
}
