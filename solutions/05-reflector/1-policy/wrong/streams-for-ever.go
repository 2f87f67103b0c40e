// Misconception: an API server that answers knows streaming lists.
// Caught by: TestOtherErrors
// Message: the belief that each server knows streaming lists

//go:build wrong

package policy

import "errors"

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
	case busyOrAway(err) && doing != Listing:
		return Decision{Next: Again, Wait: true}
	case doing == Streaming && errors.Is(err, ErrVeryShort):
		return Decision{Next: Fall}
	case doing == Streaming:
		return Decision{Next: Again, Wait: true}
	}
	return Decision{Next: Restart, Wait: true, Tell: doing != Watching}
}
