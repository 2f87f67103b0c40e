// Misconception: a resync compares the store with the server.
// Caught by: TestResync
// Message: the belief that a resync asks the server

//go:build wrong

package policy

func Decide(doing Doing, err error) Decision {
	switch {
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
	return Decision{Next: Restart, Wait: true, Tell: doing != Watching}
}
