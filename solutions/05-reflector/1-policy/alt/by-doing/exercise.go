// Package policy is exercise 05.1: what a reflector does next when a request has ended.
package policy

import (
	"errors"
	"syscall"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Doing is what a reflector was doing when it ended.
type Doing string

const (
	// Streaming is a streaming list: a watch that begins with the initial state, from its request to the bookmark that
	// ends the initial state.
	Streaming Doing = "streaming list"
	// Listing is a list.
	Listing Doing = "list"
	// Opening is the request for a watch that begins at a version, until the server has accepted it.
	Opening Doing = "opening a watch"
	// Watching is reading the events of a watch that is past all this.
	Watching Doing = "watch"
	// Resyncing is a call of the store's Resync: the resync period has passed while a watch is open.
	Resyncing Doing = "resync"
)

// Next is the request that follows.
type Next string

const (
	// Stay is no request: what is under way goes on.
	Stay Next = "stay"
	// Again is a request of the same kind: another streaming list, another list, or another watch.
	Again Next = "again"
	// Fall is a list in the place of a streaming list.
	Fall Next = "fall back to a list"
	// Restart begins as a new reflector would: with a streaming list, or with a list where streaming is off.
	Restart Next = "start again"
)

// ErrVeryShort is the error of a watch that the server has accepted, and then closed in good order within a second and
// without an event.
var ErrVeryShort = errors.New("very short watch")

// ErrRefused is in the error of a request whose connection was refused: nobody listens on the server's port.
const ErrRefused = syscall.ECONNREFUSED

// Decision is what a reflector does next.
type Decision struct {
	// Next is the next request.
	Next Next
	// Wait says that a backoff passes before it. Without it, the next request is sent at once.
	Wait bool
	// Forget says that the version that was asked for can't be had: the next request asks for the newest state.
	Forget bool
	// Tell says that the watch error handler, a function of the reflector's user, hears of err.
	Tell bool
}

// Decide asks what was going on first, and then how it ended.
func Decide(doing Doing, err error) Decision {
	d := Decision{Next: Again}
	switch doing {
	case Resyncing:
		d.Next = Stay
		if err != nil {
			d = Decision{Next: Restart, Wait: true}
		}
	case Streaming:
		switch {
		case err == nil:
		case says(err, unavailable):
			d.Forget = true
		case comesBack(err):
			d.Wait = true
		default:
			d.Next = Fall
		}
	case Listing:
		if says(err, unavailable) {
			d.Forget = true
		} else {
			d = Decision{Next: Restart, Wait: true, Tell: true}
		}
	case Opening, Watching:
		d.Wait = err != nil
		if err != nil && !comesBack(err) {
			d.Next, d.Tell = Restart, doing == Opening
		}
	}
	return d
}

// says looks for a status in an error.
func says(err error, what func(metav1.Status) bool) bool {
	var status apierrors.APIStatus
	return errors.As(err, &status) && what(status.Status())
}

func unavailable(s metav1.Status) bool {
	if s.Details != nil {
		for _, cause := range s.Details.Causes {
			if cause.Type == metav1.CauseTypeResourceVersionTooLarge {
				return true
			}
		}
	}
	return s.Reason == metav1.StatusReasonExpired || s.Reason == metav1.StatusReasonGone
}

// comesBack says that it is about the server and not about the request.
func comesBack(err error) bool {
	return says(err, func(s metav1.Status) bool { return s.Reason == metav1.StatusReasonTooManyRequests }) ||
		errors.Is(err, ErrRefused)
}
