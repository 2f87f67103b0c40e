// Misconception: a watch that was closed in good order is no failure, however short it was.
// Caught by: TestAVeryShortWatch
// Message: the belief that what ends in good order is in good order

//go:build wrong

package policy

import "errors"

func Decide(doing Doing, err error) Decision {
	switch {
	case doing == Resyncing && err == nil:
		return Decision{Next: Stay}
	case doing == Resyncing:
		return Decision{Next: Restart, Wait: true}
	case err == nil || doing == Watching && errors.Is(err, ErrVeryShort):
		return Decision{Next: Again}
	case unavailable(err) && (doing == Streaming || doing == Listing):
		return Decision{Next: Again, Forget: true}
	case busyOrAway(err) && doing != Listing:
		return Decision{Next: Again, Wait: true}
	case doing == Streaming:
		return Decision{Next: Fall}
	}
	return Decision{Next: Restart, Wait: true, Tell: doing != Watching}
}
