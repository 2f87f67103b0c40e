// Misconception: a reflector that has fallen back to lists stays with them.
// Caught by: TestAListThatFails
// Message: the belief that who has fallen back to lists stays with them

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
	case doing == Listing:
		return Decision{Next: Again, Wait: true, Tell: true}
	case doing == Streaming:
		return Decision{Next: Fall}
	}
	return Decision{Next: Restart, Wait: true, Tell: doing != Watching}
}
