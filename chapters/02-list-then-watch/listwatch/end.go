package listwatch

import (
	"errors"
	"io"
	"net/http"
	"time"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/01-raw-watch/watch"
)

// End says how a request came to its end.
type End string

// The ends there are.
const (
	// Closed: the server ended the watch in good order. All of them end so some time.
	Closed End = "closed"
	// Short: the server ended the watch in good order, at once and without an event.
	Short End = "closed at once"
	// Broken: the connection failed, or nobody answered.
	Broken End = "broken"
	// Stalled: nothing came for Client.Idle.
	Stalled End = "stalled"
	// Expired: 410. The server does not know the changes since the resourceVersion.
	Expired End = "expired"
	// Busy: 429. The server says when to come again.
	Busy End = "too many requests"
	// Refused: any other error that the server answered with.
	Refused End = "refused"
)

// errStalled is the cause with which the idle timer cancels a request.
var errStalled = errors.New("the server sent nothing for too long")

// endOf tells the kind of end from the error. A status code and an ERROR event give the same error.
func endOf(err error) End {
	var status *watch.StatusError
	switch {
	case err == io.EOF:
		return Closed
	case err == errShort:
		return Short
	case errors.Is(err, errStalled):
		return Stalled
	case !errors.As(err, &status):
		return Broken
	case status.Code == http.StatusGone:
		return Expired
	case status.Code == http.StatusTooManyRequests:
		return Busy
	}
	return Refused
}

// decision is what to do after an end.
type decision struct {
	startOver bool          // the resume point is of no more use
	wait      bool          // by the backoff, before the next request
	atLeast   time.Duration // how long the server asked to be left alone
}

// decide is the policy: which ends cost a new start, and which cost a delay.
func decide(end End, err error) decision {
	d := decision{startOver: end == Expired, wait: end != Closed}
	var status *watch.StatusError
	if errors.As(err, &status) {
		d.atLeast = time.Duration(status.Details.RetryAfterSeconds) * time.Second
	}
	return d
}
