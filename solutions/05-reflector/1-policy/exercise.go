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

// Decide says what a reflector does next when what it was doing has ended with err. It is nil where a response ended in
// good order, or where the store's Resync succeeded. A list that is complete, a watch that was opened and an initial
// state that is complete are no ends: nobody asks about them.
//
// These are the rules, and the first one that fits decides. What a rule does not name (Wait, Forget, Tell) is false.
//
//  1. Resyncing. The store tells its readers once more what it holds. No server was asked, and none is asked next:
//     Stay. Where Resync returns an error, whatever it is, nobody knows what the readers were told: Restart and Wait.
//  2. The response has ended in good order. That is no failure: a server ends each watch after some minutes. Again.
//     The watch goes on from the last version, and the streaming list, whose initial state is not complete, begins
//     anew.
//  3. Streaming or Listing, and the version can't be had: it has expired (a reason says so, Expired or Gone, which
//     servers use for the same), or it is newer than what the server has (a cause says so, ResourceVersionTooLarge).
//     Both kinds of request ask for any state that is not older than the version. Where even that can't be had, the
//     version is of no more use: Again, and Forget.
//  4. Streaming, Opening or Watching, and the server is busy (the reason TooManyRequests), or away (ErrRefused), of
//     which only the first can happen to a watch that is open: nobody asks about Watching and ErrRefused. What the
//     reflector holds is as good as before, and to list it all is the last thing that such a server needs: Again, and
//     Wait.
//  5. Streaming, and anything else, also ErrVeryShort. Perhaps the server knows no streaming lists: Fall.
//  6. Listing, Opening or Watching, and anything else, also ErrVeryShort: nobody knows whether the same would fare
//     better the next time. Restart and Wait. So a version that has expired while it was watched is not forgotten:
//     what happened since then can't be had, and a state that is not older may be. And a list that fails, also one of
//     a server that is busy or away, is not the next request where streaming is on.
//
// And for all of them:
//
//   - Tell is true for a Restart after Listing or Opening. Nobody hears of anything else: not of what is asked again,
//     not of a Fall, and not of what ended a watch that was open.
//   - Only nil is good order: io.EOF is an error like others, and so is an error about a context.
//   - An error may be wrapped, also more than once, also joined with others. What errors.Is and errors.As find counts.
//     At most one is a status.
//   - A status is a *apierrors.StatusError, known by its reason and its causes. Its code may be missing, and otherwise
//     fits them; its message may be any.
//   - Decide has no memory. It gives the same answer to the same question, however often it was asked before, and any
//     number of goroutines may ask at the same time.
func Decide(doing Doing, err error) Decision {
	//solution:begin
	//todo: this lists everything again after whatever happens: which rule fits?
	//stub: if apierrors.ReasonForError(err) == metav1.StatusReasonExpired {
	//stub: 	return Decision{Next: Restart, Forget: true}
	//stub: }
	//stub: return Decision{Next: Restart, Wait: true}
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
	return Decision{Next: Restart, Wait: true, Tell: doing != Watching}
	//solution:end
}

//solution:begin

// unavailable says that the server can't serve the version that it was asked for.
func unavailable(err error) bool {
	return apierrors.IsResourceExpired(err) || apierrors.IsGone(err) ||
		apierrors.HasStatusCause(err, metav1.CauseTypeResourceVersionTooLarge)
}

// busyOrAway says that the server has done nothing, and that it said nothing about what it was asked for.
func busyOrAway(err error) bool {
	return apierrors.IsTooManyRequests(err) || errors.Is(err, ErrRefused)
}

//solution:end
