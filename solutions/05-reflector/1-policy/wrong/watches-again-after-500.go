// Misconception: after an internal error of a watch, the watch is tried again.
// Caught by: TestOtherErrors
// Message: the belief that a watch goes on after a 500

//go:build wrong

package policy

import apierrors "k8s.io/apimachinery/pkg/api/errors"

func Decide(doing Doing, err error) Decision {
	switch {
	case doing == Resyncing && err == nil:
		return Decision{Next: Stay}
	case doing == Resyncing:
		return Decision{Next: Restart, Wait: true}
	case err == nil:
		return Decision{Next: Again}
	case unavailable(err) && (doing == Streaming || doing == Listing):
		return Decision{Next: Again, Forget: true}
	case busyOrAway(err) && doing != Listing, doing == Watching && apierrors.IsInternalError(err):
		return Decision{Next: Again, Wait: true}
	case doing == Streaming:
		return Decision{Next: Fall}
	}
	return Decision{Next: Restart, Wait: true, Tell: doing != Watching}
}
