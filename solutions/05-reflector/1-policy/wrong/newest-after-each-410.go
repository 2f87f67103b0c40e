// Misconception: after a 410, only the newest state will do.
// Caught by: TestAVersionThatHasExpired
// Message: the belief that after a 410 only the newest state will do

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
	return Decision{Next: Restart, Wait: true, Forget: unavailable(err), Tell: doing != Watching}
}
