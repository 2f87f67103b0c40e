// Stage 2: why the watch ended

package follow_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	. "github.com/controllers-from-scratch/controllers-from-scratch/chapters/01-raw-watch/exercises/2-follow"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise/fakeapi"
)

func TestSaysThatSomethingWentWrong(t *testing.T) {
	exercise.Attempted(t)
	exercise.Bubble(t, func(t *testing.T) {
		s := newScene(t, fakeapi.Status(403, "Forbidden", `configmaps is forbidden: User "eve" cannot watch`))
		s.opening = true
		w, err, returned := s.call()
		exercise.Expect(t, returned && err != nil, exercise.Verdict{
			Expected: "the server answers 403, and Follow returns an error",
			Happened: s.noRefusal(w, err, returned),
		})
	})
	exercise.Bubble(t, func(t *testing.T) {
		s := newScene(t, fakeapi.Stream(fakeapi.Send(line("ADDED", "a", "5"), "<html>\n")))
		s.opening = true
		w := s.follow()
		s.expectEvent(w, line("ADDED", "a", "5"), "the server has sent the first event")
		_, open, waited := s.receive(w)
		exercise.Expect(t, !open && !waited, exercise.Verdict{
			Expected: "something comes that is no event; Events is closed",
			Happened: "a second later it was still open",
		})
		exercise.Expect(t, w.Err() != nil, exercise.Verdict{
			Expected: "something came that is no event; Err returns an error",
			Happened: "Err returned nil",
		})
	})
}

func TestAnEndIsNoFailure(t *testing.T) {
	exercise.Attempted(t)
	exercise.Bubble(t, func(t *testing.T) {
		s := newScene(t, fakeapi.Stream(fakeapi.Send(line("ADDED", "a", "5"))))
		w := s.follow()
		s.expectEvent(w, line("ADDED", "a", "5"), "the server has sent the first event")
		s.expectEnd(w, "the server has ended the stream")
		v := exercise.Verdict{
			Expected: "the server ended the stream between two events, and Err returns nil",
			Happened: "Err returned " + quoted(w.Err()),
		}
		if errors.Is(w.Err(), io.EOF) {
			v.PointsTo = "the belief that an end is a failure. " +
				"A server finishes every watch some day, and nothing is lost by it"
		}
		exercise.Expect(t, w.Err() == nil, v)
	})
}

func TestSaysWhyTheWatchEnded(t *testing.T) {
	exercise.Attempted(t)
	is := func(want error) func(error) bool { return func(err error) bool { return errors.Is(err, want) } }
	var syntax *json.SyntaxError
	more := fakeapi.Send(line("ADDED", "b", "9"))
	for _, tc := range []struct {
		name, want, text string
		right            func(error) bool
		steps            []fakeapi.Step
	}{
		{"the connection is cut between two events", "io.ErrUnexpectedEOF", "unexpected EOF",
			is(io.ErrUnexpectedEOF), []fakeapi.Step{fakeapi.Cut()}},
		{"the connection is cut inside an event", "io.ErrUnexpectedEOF", "unexpected EOF",
			is(io.ErrUnexpectedEOF), []fakeapi.Step{fakeapi.Send(`{"type":"MODIF`), fakeapi.Cut()}},
		{"the stream ends inside an event", "io.ErrUnexpectedEOF", "unexpected EOF",
			is(io.ErrUnexpectedEOF), []fakeapi.Step{fakeapi.Send(`{"type":"MODIF`)}},
		{"the server sends an ERROR event, and leaves the stream open", "the *StatusError with code 410", "too old",
			func(err error) bool {
				var status *StatusError
				return errors.As(err, &status) && *status == StatusError{410, "Expired", "too old resource version"}
			},
			[]fakeapi.Step{
				fakeapi.Send(fakeapi.ErrorLine(410, "Expired", "too old resource version")), more, fakeapi.Hang(),
			}},
		{"an event of a type comes that does not exist", "an error about that type", "watch event",
			func(err error) bool { return err != nil && strings.Contains(err.Error(), "RENAMED") },
			[]fakeapi.Step{fakeapi.Send(line("RENAMED", "a", "8")), more, fakeapi.Hang()}},
		{"something comes that is no JSON", "a *json.SyntaxError", "invalid character",
			func(err error) bool { return errors.As(err, &syntax) },
			[]fakeapi.Step{fakeapi.Send("<html>\n"), more, fakeapi.Hang()}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			exercise.Bubble(t, func(t *testing.T) {
				steps := append([]fakeapi.Step{fakeapi.Send(line("ADDED", "a", "5"))}, tc.steps...)
				s := newScene(t, fakeapi.Stream(steps...))
				s.srv.Otherwise(func(fakeapi.Request) *fakeapi.Answer { return fakeapi.Stream(steps...) })
				w := s.follow()
				s.expectEvent(w, line("ADDED", "a", "5"), "the server has sent the first event")
				s.expectEnd(w, tc.name)
				v := exercise.Verdict{
					Expected: fmt.Sprintf("%s; in Err, the error of ReadEvent is found, %s", tc.name, tc.want),
					Happened: "Err returned " + quoted(w.Err()),
				}
				v.PointsTo = pointsTo(w.Err(), tc.text)
				exercise.Expect(t, tc.right(w.Err()), v)
				s.expectClosed(tc.name)
				s.expectOneRequest(tc.name)
			})
		})
	}
}

func TestErrIsThereWhenEventsIsClosed(t *testing.T) {
	exercise.Attempted(t)
	for range 10 {
		exercise.Bubble(t, func(t *testing.T) {
			s := newScene(t, fakeapi.Stream(fakeapi.Send(lines(3)), fakeapi.Sleep(time.Minute), fakeapi.Cut()))
			w := s.follow()
			for open := true; open; { // waits for the next event when the stream breaks
				_, open = <-w.Events()
			}
			_ = w.Err() // asks at once: what is wrong with that is for the race detector to see
		})
	}
}

func TestRefused(t *testing.T) {
	exercise.Attempted(t)
	for _, want := range []StatusError{
		{403, "Forbidden", `configmaps is forbidden: User "eve" cannot watch`},
		{410, "Expired", "too old resource version: 5 (812)"},
		{500, "InternalError", "etcdserver: request timed out"},
		{202, "Accepted", "come back later"},
		{302, "Found", "somewhere else"},
	} {
		exercise.Bubble(t, func(t *testing.T) {
			s := newScene(t, fakeapi.Status(want.Code, want.Reason, want.Message))
			w, err, returned := s.call()
			var status *StatusError
			v := exercise.Verdict{
				Expected: fmt.Sprintf("the server answers %d with a Status, and in Follow's error errors.As finds "+
					"the *StatusError that ReadStatus makes of it", want.Code),
				Happened: s.noRefusal(w, err, returned),
			}
			switch {
			case errors.As(err, &status):
				v.Happened = fmt.Sprintf("Follow returned a *StatusError with code %d, reason %q, message %q",
					status.Code, status.Reason, status.Message)
			case err != nil && strings.Contains(err.Error(), fmt.Sprint(want.Code)):
				v.PointsTo = "the belief that the status line says it all. " +
					"Which code it was, and why, a caller has to be able to ask of the error"
			}
			exercise.Expect(t, errors.As(err, &status) && *status == want, v)
			s.expectClosed("Follow has returned the refusal")
			s.expectOneRequest("Follow has returned the refusal")
		})
	}
}

func TestRefusedWithoutAStatus(t *testing.T) {
	exercise.Attempted(t)
	for _, answer := range []*fakeapi.Answer{
		fakeapi.Respond(502, "text/html", "<html><body>Bad Gateway</body></html>"),
		fakeapi.Respond(503, "text/plain", ""),
	} {
		exercise.Bubble(t, func(t *testing.T) {
			s := newScene(t, answer)
			w, err, returned := s.call()
			exercise.Expect(t, returned && err != nil, exercise.Verdict{
				Expected: fmt.Sprintf("the answer is %v, and its body is no Status; Follow returns an error", answer),
				Happened: s.noRefusal(w, err, returned),
			})
			s.expectClosed("Follow has returned the refusal")
		})
	}
}

func TestNoAnswer(t *testing.T) {
	exercise.Attempted(t)
	refused := errors.New("dial tcp 127.0.0.1:6443: connect: connection refused")
	client := &http.Client{Transport: transport(func(*http.Request) (*http.Response, error) { return nil, refused })}
	_, err := Follow(t.Context(), client, "https://127.0.0.1:6443"+path)
	exercise.Expect(t, errors.Is(err, refused), exercise.Verdict{
		Expected: fmt.Sprintf("the client fails with %q; in Follow's error errors.Is finds that", refused),
		Happened: "Follow returned " + quoted(err),
	})
}
