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

// table has what each kind of error leads to. Where it has nothing, the kind is of no matter to that request.
var table = map[Doing]map[kind]Decision{
	Streaming: {
		fine: {Next: Again}, unavailable: {Next: Again, Forget: true},
		busy: {Next: Again, Wait: true}, other: {Next: Fall},
	},
	Listing: {
		unavailable: {Next: Again, Forget: true}, other: {Next: Restart, Wait: true, Tell: true},
	},
	Opening: {
		busy: {Next: Again, Wait: true}, other: {Next: Restart, Wait: true, Tell: true},
	},
	Watching: {
		fine: {Next: Again}, busy: {Next: Again, Wait: true}, other: {Next: Restart, Wait: true},
	},
	Resyncing: {
		fine: {Next: Stay}, other: {Next: Restart, Wait: true},
	},
}

// Decide looks up the first kind that matters.
func Decide(doing Doing, err error) Decision {
	for _, k := range kindsOf(err) {
		if d, matters := table[doing][k]; matters {
			return d
		}
	}
	return Decision{}
}

// kindsOf lists the kinds of an error, which may be of several.
func kindsOf(err error) []kind {
	if err == nil {
		return []kind{fine}
	}
	var all []kind
	reason := apierrors.ReasonForError(err)
	_, tooNew := apierrors.StatusCause(err, metav1.CauseTypeResourceVersionTooLarge)
	if tooNew || reason == metav1.StatusReasonExpired || reason == metav1.StatusReasonGone {
		all = append(all, unavailable)
	}
	if reason == metav1.StatusReasonTooManyRequests || errors.Is(err, ErrRefused) {
		all = append(all, busy)
	}
	return append(all, other)
}
