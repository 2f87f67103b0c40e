// Breaks: These are the rules, and the first one that fits decides.
// Caught by: TestTwoRulesFit
// Message: Decide(Streaming, ErrVeryShort, joined with a status 429 with the reason TooManyRequests) is Again, Wait

//go:build wrong

package policy

import (
	"errors"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
)

func busyOrAway(err error) bool {
	return !errors.Is(err, ErrVeryShort) && (apierrors.IsTooManyRequests(err) || errors.Is(err, ErrRefused))
}
