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

// kind is what an error means to a reflector.
type kind int

const (
	fine kind = iota
	unavailable
	busy
	other
)

// table has what each kind of error leads to, in the order of the kinds.
var table = map[Doing][4]Decision{
	Streaming: {{Next: Again}, {Next: Again, Forget: true}, {Next: Again, Wait: true}, {Next: Fall}},
	Listing: {
		unavailable: {Next: Again, Forget: true},
		busy:        {Next: Restart, Wait: true, Tell: true},
		other:       {Next: Restart, Wait: true, Tell: true},
	},
	Opening: {
		unavailable: {Next: Restart, Wait: true, Tell: true},
		busy:        {Next: Again, Wait: true},
		other:       {Next: Restart, Wait: true, Tell: true},
	},
	Watching: {{Next: Again}, {Next: Restart, Wait: true}, {Next: Again, Wait: true}, {Next: Restart, Wait: true}},
	Resyncing: {
		{Next: Stay}, {Next: Restart, Wait: true}, {Next: Restart, Wait: true}, {Next: Restart, Wait: true},
	},
}

// Decide looks it up.
func Decide(doing Doing, err error) Decision { return table[doing][kindOf(err)] }

func kindOf(err error) kind {
	if err == nil {
		return fine
	}
	if _, tooNew := apierrors.StatusCause(err, metav1.CauseTypeResourceVersionTooLarge); tooNew {
		return unavailable
	}
	switch apierrors.ReasonForError(err) {
	case metav1.StatusReasonExpired, metav1.StatusReasonGone:
		return unavailable
	case metav1.StatusReasonTooManyRequests:
		return busy
	}
	if errors.Is(err, ErrRefused) {
		return busy
	}
	return other
}
