package policy_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"syscall"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	utilerrors "k8s.io/apimachinery/pkg/util/errors"

	. "github.com/controllers-from-scratch/controllers-from-scratch/chapters/05-reflector/exercises/1-policy"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise"
)

// ending is an error, and what a verdict calls it.
type ending struct {
	what string
	err  error
}

var goodOrder = ending{what: "nil"}

// status is what the API server says, as a client's error. The code 0 is a missing one.
func status(code int32, reason metav1.StatusReason, causes ...metav1.CauseType) ending {
	s := metav1.Status{Status: metav1.StatusFailure, Code: code, Reason: reason, Message: "the server says no"}
	what := fmt.Sprintf("a status %d with the reason %s", code, reason)
	switch {
	case code == 0 && reason == "":
		what = "a status without a code or a reason"
	case code == 0:
		what = fmt.Sprintf("a status without a code, with the reason %s", reason)
	}
	for _, cause := range causes {
		if s.Details == nil {
			s.Details = &metav1.StatusDetails{}
		}
		s.Details.Causes = append(s.Details.Causes, metav1.StatusCause{Type: cause, Message: "a cause"})
		what += fmt.Sprintf(" and the cause %s", cause)
	}
	return ending{what, apierrors.FromObject(&s)}
}

// dial is the error of a request that got no connection, or none that lasted.
func dial(errno syscall.Errno) ending {
	err := &net.OpError{Op: "dial", Net: "tcp", Err: os.NewSyscallError("connect", errno)}
	return ending{fmt.Sprintf("a *url.Error with %v in it", errno),
		&url.Error{Op: "Get", URL: "https://127.0.0.1:6443/api/v1/configmaps", Err: err}}
}

// joined is several errors in one.
func joined(all ...ending) ending {
	var errs []error
	var names []string
	for _, e := range all {
		errs, names = append(errs, e.err), append(names, e.what)
	}
	return ending{strings.Join(names, ", joined with "), errors.Join(errs...)}
}

// aggregate is several errors in one, too. It has an Is, but neither an Unwrap nor an As, and is no key of a map.
func aggregate(e ending) ending {
	return ending{e.what + ", in an Aggregate", utilerrors.NewAggregate([]error{errors.New("it failed"), e.err})}
}

// later is a status that says after how many seconds to ask again.
func later(code int32, reason metav1.StatusReason) ending {
	s := metav1.Status{Status: metav1.StatusFailure, Code: code, Reason: reason, Message: "the server says no",
		Details: &metav1.StatusDetails{RetryAfterSeconds: 2}}
	what := fmt.Sprintf("a status %d with the reason %s and RetryAfterSeconds", code, reason)
	return ending{what, apierrors.FromObject(&s)}
}

// says is a status whose message says what none of its causes does.
func says(code int32, reason metav1.StatusReason, message string) ending {
	s := metav1.Status{Status: metav1.StatusFailure, Code: code, Reason: reason, Message: message}
	what := fmt.Sprintf("a status %d with the reason %s, the message %q and no cause", code, reason, message)
	return ending{what, apierrors.FromObject(&s)}
}

// tooLarge is the cause of a status about a version that is newer than what the server has.
const tooLarge = metav1.CauseTypeResourceVersionTooLarge

var (
	expired = status(http.StatusGone, metav1.StatusReasonExpired)
	gone    = status(http.StatusGone, metav1.StatusReasonGone)
	tooNew  = status(http.StatusGatewayTimeout, metav1.StatusReasonTimeout, tooLarge)
	busy    = status(http.StatusTooManyRequests, metav1.StatusReasonTooManyRequests)
	refused = dial(syscall.ECONNREFUSED)
	short   = ending{"ErrVeryShort", ErrVeryShort}
	failed  = status(http.StatusInternalServerError, metav1.StatusReasonInternalError)
)

// others are the errors that no rule names.
func others() []ending {
	return []ending{
		failed,
		status(http.StatusInternalServerError, metav1.StatusReasonServerTimeout),
		status(http.StatusServiceUnavailable, metav1.StatusReasonServiceUnavailable),
		status(http.StatusForbidden, metav1.StatusReasonForbidden),
		status(http.StatusGatewayTimeout, metav1.StatusReasonTimeout),
		status(http.StatusBadRequest, metav1.StatusReasonInvalid, metav1.CauseTypeFieldValueInvalid),
		dial(syscall.ECONNRESET),
		dial(syscall.ETIMEDOUT),
		{"io.ErrUnexpectedEOF", io.ErrUnexpectedEOF},
		{"context.DeadlineExceeded", context.DeadlineExceeded},
		{"context.Canceled", context.Canceled},
		{"an error that nobody knows", errors.New("410, 429, connection refused: a text is no reason")},
	}
}

// delayed are others that suggest a delay.
func delayed() []ending {
	return []ending{
		later(http.StatusInternalServerError, metav1.StatusReasonServerTimeout),
		later(http.StatusServiceUnavailable, metav1.StatusReasonServiceUnavailable),
	}
}

// wrapped are the ways in which an error comes when somebody put words around it.
func wrapped(e ending) []ending {
	once := fmt.Errorf("listing configmaps: %w", e.err)
	return []ending{
		{e.what + ", wrapped with %w", once},
		{e.what + ", wrapped twice", fmt.Errorf("chapter 05: %w", once)},
		{e.what + ", the second of two in one error", fmt.Errorf("%w, and then %w", errors.New("it failed"), e.err)},
	}
}

// question is one that Decide is asked, and the right answer.
type question struct {
	doing Doing
	ended ending
	want  Decision
}

// questions are one for each rule and each kind of error that it names.
func questions() []question {
	all := []question{
		{Resyncing, goodOrder, Decision{Next: Stay}},
		{Watching, goodOrder, Decision{Next: Again}},
		{Streaming, goodOrder, Decision{Next: Again}},
		{Streaming, busy, Decision{Next: Again, Wait: true}},
		{Opening, busy, Decision{Next: Again, Wait: true}},
		{Watching, busy, Decision{Next: Again, Wait: true}},
		{Streaming, refused, Decision{Next: Again, Wait: true}},
		{Opening, refused, Decision{Next: Again, Wait: true}},
		{Streaming, short, Decision{Next: Fall}},
		{Watching, short, Decision{Next: Restart, Wait: true}},
		{Streaming, failed, Decision{Next: Fall}},
		{Watching, failed, Decision{Next: Restart, Wait: true}},
	}
	for _, e := range []ending{expired, gone, tooNew} {
		all = append(all,
			question{Streaming, e, Decision{Next: Again, Forget: true}},
			question{Listing, e, Decision{Next: Again, Forget: true}},
			question{Opening, e, Decision{Next: Restart, Wait: true, Tell: true}},
			question{Watching, e, Decision{Next: Restart, Wait: true}})
	}
	for _, e := range []ending{busy, refused, failed} {
		all = append(all, question{Listing, e, Decision{Next: Restart, Wait: true, Tell: true}})
	}
	return append(all, question{Opening, failed, Decision{Next: Restart, Wait: true, Tell: true}})
}

// text writes a decision as the assignment does.
func text(d Decision) string {
	words := []string{fmt.Sprintf("the next request %q", d.Next)}
	for next, name := range map[Next]string{Stay: "Stay", Again: "Again", Fall: "Fall", Restart: "Restart"} {
		if d.Next == next {
			words[0] = name
		}
	}
	for _, w := range []struct {
		is   bool
		name string
	}{{d.Wait, "Wait"}, {d.Forget, "Forget"}, {d.Tell, "Tell"}} {
		if w.is {
			words = append(words, w.name)
		}
	}
	return strings.Join(words, ", ")
}

// asked writes a question as a call.
func asked(doing Doing, e ending) string {
	name := map[Doing]string{
		Streaming: "Streaming", Listing: "Listing", Opening: "Opening", Watching: "Watching", Resyncing: "Resyncing",
	}[doing]
	return fmt.Sprintf("Decide(%s, %s)", name, e.what)
}

// clues tells which belief a wrong answer points to, written as in a verdict. [anything] is any other wrong answer.
type clues map[string]string

const anything = ""

// decides asks once, and compares the answer.
func decides(t *testing.T, doing Doing, e ending, want Decision, about clues) {
	t.Helper()
	got := Decide(doing, e.err)
	belief, ok := about[text(got)]
	if !ok {
		belief = about[anything]
	}
	exercise.Expect(t, got == want, exercise.Verdict{
		Expected: fmt.Sprintf("%s is %s", asked(doing, e), text(want)),
		Happened: fmt.Sprintf("it was %s", text(got)),
		PointsTo: belief,
	})
}
