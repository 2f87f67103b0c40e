// Misconception: the watch error handler hears of each error.
// Caught by: TestAVersionThatHasExpired
// Message: the belief that the watch error handler hears of whatever ends a watch

//go:build wrong

package policy

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
	case doing == Streaming:
		return Decision{Next: Fall}
	}
	return Decision{Next: Restart, Wait: true, Tell: true}
}
