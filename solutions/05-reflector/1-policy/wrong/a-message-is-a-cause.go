// Misconception: what a status is about, its message says.
// Caught by: TestAMessageIsForPeople
// Message: the belief that a message says what has happened

//go:build wrong

package policy

import (
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func unavailable(err error) bool {
	return apierrors.IsResourceExpired(err) || apierrors.IsGone(err) ||
		apierrors.HasStatusCause(err, metav1.CauseTypeResourceVersionTooLarge) ||
		apierrors.IsTimeout(err) && strings.Contains(err.Error(), "Too large resource version")
}
