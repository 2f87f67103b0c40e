// Breaks: It gives the same answer to the same question, however often it was asked before, and any number of
// goroutines may ask at the same time.
// Caught by: TestNoMemory
// Message: also when it is asked

//go:build wrong

package policy

import "sync/atomic"

var retries atomic.Int64

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
	case busyOrAway(err) && doing != Listing && retries.Add(1)%50 != 0:
		return Decision{Next: Again, Wait: true}
	case doing == Streaming:
		return Decision{Next: Fall}
	}
	return Decision{Next: Restart, Wait: true, Tell: doing != Watching}
}
