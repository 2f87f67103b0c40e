// Breaks: Any other error of the Reader or the Writer, a conflict as well:
// Caught by: TestErrors
// Message: the error is returned

//go:build wrong

package status

import (
	apierrors "k8s.io/apimachinery/pkg/api/errors"
)

func unlessGone(err error) error {
	if apierrors.IsNotFound(err) || apierrors.IsGone(err) { // wrong: that is 410, and something else
		return nil
	}
	return err
}
