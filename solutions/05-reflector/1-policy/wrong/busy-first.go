// Breaks: These are the rules, and the first one that fits decides.
// Caught by: TestTwoRulesFit
// Message: joined with a *url.Error with connection refused in it) is Again, Forget

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
	case busyOrAway(err) && doing != Listing:
		return Decision{Next: Again, Wait: true}
	case unavailable(err) && (doing == Streaming || doing == Listing):
		return Decision{Next: Again, Forget: true}
	case doing == Streaming:
		return Decision{Next: Fall}
	}
	return Decision{Next: Restart, Wait: true, Tell: doing != Watching}
}
