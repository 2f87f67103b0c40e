package follow_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	. "github.com/controllers-from-scratch/controllers-from-scratch/chapters/01-raw-watch/exercises/2-follow"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise/fakeapi"
)

func TestPassesEventsOnUntilTheServerEndsTheWatch(t *testing.T) {
	exercise.Attempted(t, leaks, hangs)
	exercise.Bubble(t, func(t *testing.T) {
		gate := fakeapi.NewGate()
		added, deleted := line("ADDED", "a", "5"), line("DELETED", "a", "8")
		modified := fakeapi.Line("MODIFIED", fakeapi.ConfigMap("default", "a", "6", "key",
			strings.Repeat("large ", 20_000)))
		s := newScene(t, fakeapi.Stream(
			fakeapi.Send(added), fakeapi.Pause(gate), fakeapi.Send(modified, fakeapi.BookmarkLine("7"), deleted)))
		w := s.follow()
		s.expectEvent(w, added, "the server has sent the first event, and keeps the stream open")
		gate.Open()
		s.expectEvent(w, modified, "the server has sent three more events")
		s.expectEvent(w, fakeapi.BookmarkLine("7"), "the server has sent three more events")
		s.expectEvent(w, deleted, "the server has sent three more events")
		s.expectEnd(w, "the server has ended the stream after its fourth event")
		v := exercise.Verdict{
			Expected: "the server ended the stream between two events, and Err returns nil",
			Happened: "Err returned " + quoted(w.Err()),
		}
		if errors.Is(w.Err(), io.EOF) {
			v.PointsTo = "the belief that an end is a failure. " +
				"A server finishes every watch some day, and nothing is lost by it"
		}
		exercise.Expect(t, w.Err() == nil, v)
		s.expectClosed("the server has ended the stream, and ctx goes on")
		s.expectNoGoroutine("the server has ended the stream, and ctx goes on")
		s.expectOneRequest("the server has ended the stream")
	})
}

func TestReturnsBeforeTheFirstEvent(t *testing.T) {
	exercise.Attempted(t, leaks, hangs)
	exercise.Bubble(t, func(t *testing.T) {
		gate := fakeapi.NewGate()
		s := newScene(t, fakeapi.Stream(fakeapi.Pause(gate), fakeapi.Send(line("ADDED", "a", "5")), fakeapi.Hang()))
		returned := make(chan bool, 1)
		go func() {
			_, err := Follow(s.ctx, s.client, s.srv.URL+path)
			returned <- err == nil
		}()
		synctest.Wait()
		if len(returned) == 1 {
			return
		}
		v := exercise.Verdict{
			Expected: "the server has answered 200 and has no event to send; Follow returns its Watch",
			Happened: "Follow has not returned",
		}
		gate.Open()
		synctest.Wait()
		if len(returned) == 1 {
			v.Happened += ", and did when there was an event"
			v.PointsTo = "the belief that a watch which is open has something to say. " +
				"It is open when the header is there, and the first event may be hours away"
		}
		exercise.Fail(t, v)
	})
}

func TestTheRequest(t *testing.T) {
	exercise.Attempted(t, leaks, hangs)
	exercise.Bubble(t, func(t *testing.T) {
		s := newScene(t, fakeapi.Stream(fakeapi.Hang()))
		s.client.Timeout = 1000 * time.Hour
		before := *s.client
		s.follow()
		synctest.Wait()
		r := s.srv.Requests()[0]
		got := r.Method + " " + (&url.URL{Path: r.Path, RawQuery: r.Query.Encode()}).String()
		exercise.Expect(t, got == "GET "+path, exercise.Verdict{
			Expected: "Follow sends one request, GET " + path,
			Happened: "it sent " + got,
		})
		same := s.client.Timeout == before.Timeout && s.client.Transport == before.Transport &&
			s.client.Jar == before.Jar
		exercise.Expect(t, same && s.client.CheckRedirect == nil, exercise.Verdict{
			Expected: "Follow leaves the client that it is given as it is: others use it, too",
			Happened: fmt.Sprintf("its Timeout is %v, and was %v; Transport, Jar and CheckRedirect may be others, too",
				s.client.Timeout, before.Timeout),
		})
	})
}

func TestRefused(t *testing.T) {
	exercise.Attempted(t, leaks, hangs)
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
			s.expectGivenClient()
			var status *StatusError
			v := exercise.Verdict{
				Expected: fmt.Sprintf("the server answers %d with a Status, and Follow returns an error "+
					"in which errors.As finds it as a *StatusError", want.Code),
				Happened: "Follow returned the error " + quoted(err),
			}
			switch {
			case !returned:
				v.Happened = "Follow did not return"
			case err == nil && w == nil:
				v.Happened = "Follow returned neither a Watch nor an error"
			case err == nil:
				v.Happened = "Follow returned a Watch and no error"
				if _, open, waited := s.receive(w); !waited && !open {
					v.Happened += "; Events was closed at once, and Err said " + quoted(w.Err())
				}
				if want.Code == 403 {
					v.PointsTo = "the belief that an answer is the answer that was hoped for: " +
						"client.Do reports an error when there is no response, and a refusal is a response"
				}
			case errors.As(err, &status):
				v.Happened = fmt.Sprintf("Follow returned a *StatusError with code %d, reason %q, message %q",
					status.Code, status.Reason, status.Message)
			case strings.Contains(err.Error(), fmt.Sprint(want.Code)):
				v.PointsTo = "the belief that the status line says it all. " +
					"Which code it was, and why, a caller has to be able to ask of the error"
			}
			exercise.Expect(t, errors.As(err, &status) && *status == want, v)
			s.expectClosed("Follow has returned the refusal")
			s.expectNoGoroutine("Follow has returned the refusal")
			s.expectOneRequest("Follow has returned the refusal")
		})
	}
}

func TestRefusedWithoutAStatus(t *testing.T) {
	exercise.Attempted(t, leaks, hangs)
	for _, answer := range []*fakeapi.Answer{
		fakeapi.Respond(502, "text/html", "<html><body>Bad Gateway</body></html>"),
		fakeapi.Respond(503, "text/plain", ""),
		fakeapi.Stream(fakeapi.Send(line("ADDED", "a", "5"))).WithStatus(203),
	} {
		exercise.Bubble(t, func(t *testing.T) {
			s := newScene(t, answer)
			_, err, returned := s.call()
			exercise.Expect(t, returned && err != nil, exercise.Verdict{
				Expected: fmt.Sprintf("the answer is %v, and its body is no Status; Follow returns an error", answer),
				Happened: map[bool]string{true: "Follow returned no error", false: "Follow did not return"}[returned],
			})
			s.expectClosed("Follow has returned the refusal")
		})
	}
}

func TestNoAnswer(t *testing.T) {
	exercise.Attempted(t, leaks, hangs)
	refused := errors.New("dial tcp 127.0.0.1:6443: connect: connection refused")
	client := &http.Client{Transport: transport(func(*http.Request) (*http.Response, error) { return nil, refused })}
	_, err := Follow(t.Context(), client, "https://127.0.0.1:6443"+path)
	exercise.Expect(t, errors.Is(err, refused), exercise.Verdict{
		Expected: fmt.Sprintf("the client fails with %q; Follow returns an error in which errors.Is finds that",
			refused),
		Happened: "Follow returned " + quoted(err),
	})
	_, err = Follow(t.Context(), client, "https://[::1")
	exercise.Expect(t, err != nil, exercise.Verdict{
		Expected: "https://[::1 is no URL; Follow returns an error",
		Happened: "Follow returned none",
	})
}

func TestQuietWatchStaysOpen(t *testing.T) {
	exercise.Attempted(t, leaks, hangs)
	exercise.Bubble(t, func(t *testing.T) {
		const quiet = 72 * time.Hour
		added, modified := line("ADDED", "a", "5"), line("MODIFIED", "a", "6")
		s := newScene(t, fakeapi.Stream(fakeapi.Send(added), fakeapi.Sleep(quiet), fakeapi.Send(modified)))
		w := s.follow()
		s.expectEvent(w, added, "the server has sent the first event")
		start := time.Now()
		event, open, waited := s.receiveWithin(w, quiet+time.Minute)
		v := exercise.Verdict{
			Expected: "nothing changes for three days, " +
				"then the server sends an event, and the event comes out of Events",
		}
		switch {
		case waited:
			v.Happened = "nothing came"
		case !open:
			v.Happened = fmt.Sprintf("after %v Events was closed, and Err said %s; ctx had not ended",
				time.Since(start), quoted(w.Err()))
			if timeLimit(w.Err()) {
				v.PointsTo = "the belief that a limit on a request is a limit on the wait for an answer. " +
					"Its clock runs until the body has been read to the end, so that it ends a watch which works"
			}
		case event.Type != "MODIFIED":
			v.Happened = "the " + name(event) + " came"
		}
		exercise.Expect(t, v.Happened == "", v)
	})
}

func TestContextEndsAQuietWatch(t *testing.T) {
	exercise.Attempted(t, leaks, hangs)
	for _, tc := range []struct {
		name  string
		steps []fakeapi.Step
	}{
		{"a watch on which nothing happens", nil},
		{"a watch in the middle of an event", []fakeapi.Step{fakeapi.Send(`{"type":"ADDED","obj`)}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			exercise.Bubble(t, func(t *testing.T) {
				s := newScene(t, fakeapi.Stream(append(tc.steps, fakeapi.Hang())...))
				w := s.follow()
				time.Sleep(time.Minute + time.Second/3)
				s.expectOver(w, tc.name)
				s.expectErr(w, context.Canceled, "ctx was cancelled")
				s.expectOneRequest("ctx was cancelled")
			})
		})
	}
}

func TestContextEndsABusyWatch(t *testing.T) {
	exercise.Attempted(t, leaks, hangs)
	exercise.Bubble(t, func(t *testing.T) {
		var steps []fakeapi.Step
		for range 1000 {
			steps = append(steps, fakeapi.Send(line("MODIFIED", "a", "6")), fakeapi.Sleep(time.Second))
		}
		s := newScene(t, fakeapi.Stream(steps...))
		w := s.follow()
		for range 10 {
			s.receiveWithin(w, time.Minute)
		}
		time.Sleep(time.Second / 2)
		s.expectOver(w, "a watch on which an event comes every second")
		s.expectErr(w, context.Canceled, "ctx was cancelled")
	})
}

func TestContextEndsAWatchThatNobodyReads(t *testing.T) {
	exercise.Attempted(t, leaks, hangs)
	exercise.Bubble(t, func(t *testing.T) {
		const events = 6000 // more than a buffer would hold
		s := newScene(t, fakeapi.Stream(fakeapi.Send(strings.Repeat(line("ADDED", "a", "100"), events)),
			fakeapi.Hang()))
		w := s.follow()
		s.expectEvent(w, line("ADDED", "a", "100"), fmt.Sprintf("the server has %d events to send", events))
		time.Sleep(time.Minute + time.Second/3)
		s.expectOver(w, fmt.Sprintf("a watch of whose %d events the reader has taken one", events))
	})
}

func TestContextEndsBeforeTheAnswer(t *testing.T) {
	exercise.Attempted(t, leaks, hangs)
	for _, tc := range []struct {
		name  string
		after time.Duration
	}{
		{"before Follow is called", 0}, {"before the server has answered", time.Minute},
	} {
		exercise.Bubble(t, func(t *testing.T) {
			s := newScene(t, fakeapi.Silence())
			if tc.after == 0 {
				s.cancel()
			} else {
				time.AfterFunc(tc.after, s.cancel)
			}
			_, err, returned := s.callWithin(2 * time.Minute)
			v := exercise.Verdict{
				Expected: "ctx ends " + tc.name + "; Follow returns an error in which errors.Is finds ctx.Err(), " +
					"context.Canceled",
				Happened: "Follow returned " + quoted(err),
			}
			if !returned {
				v.Happened = "Follow had not returned a minute later"
				v.PointsTo = "the belief that the server always answers. " +
					"The wait for its answer is part of the watch, and ctx ends it too"
			}
			exercise.Expect(t, returned && errors.Is(err, context.Canceled), v)
		})
	}
}

func TestContextEndsInARefusal(t *testing.T) {
	exercise.Attempted(t, leaks, hangs)
	exercise.Bubble(t, func(t *testing.T) {
		half := fakeapi.Stream(fakeapi.Send(`{"kind":"Status",`), fakeapi.Hang()).WithStatus(http.StatusForbidden)
		s := newScene(t, half)
		time.AfterFunc(time.Minute, s.cancel)
		_, err, returned := s.callWithin(2 * time.Minute)
		exercise.Expect(t, returned && err != nil, exercise.Verdict{
			Expected: "the server answers 403, and ctx ends in the middle of the body; Follow returns an error",
			Happened: map[bool]string{true: "Follow returned none",
				false: "Follow had not returned a minute later"}[returned],
		})
		s.expectClosed("ctx has ended in the middle of the body of a refusal")
	})
}

func TestSaysWhyTheWatchEnded(t *testing.T) {
	exercise.Attempted(t, leaks, hangs)
	is := func(want error) func(error) bool { return func(err error) bool { return errors.Is(err, want) } }
	var syntax *json.SyntaxError
	more := fakeapi.Send(line("ADDED", "b", "9"))
	for _, tc := range []struct {
		name, want string
		right      func(error) bool
		steps      []fakeapi.Step
	}{
		{"the connection is cut between two events", "io.ErrUnexpectedEOF", is(io.ErrUnexpectedEOF),
			[]fakeapi.Step{fakeapi.Cut()}},
		{"the connection is cut inside an event", "io.ErrUnexpectedEOF", is(io.ErrUnexpectedEOF),
			[]fakeapi.Step{fakeapi.Send(`{"type":"MODIF`), fakeapi.Cut()}},
		{"the stream ends inside an event", "io.ErrUnexpectedEOF", is(io.ErrUnexpectedEOF),
			[]fakeapi.Step{fakeapi.Send(`{"type":"MODIF`)}},
		{"the server sends an ERROR event, and leaves the stream open", "the *StatusError with code 410",
			func(err error) bool {
				var status *StatusError
				return errors.As(err, &status) && *status == StatusError{410, "Expired", "too old resource version"}
			},
			[]fakeapi.Step{
				fakeapi.Send(fakeapi.ErrorLine(410, "Expired", "too old resource version")), more, fakeapi.Hang(),
			}},
		{"an event of a type comes that does not exist", "an error about that type",
			func(err error) bool { return err != nil && strings.Contains(err.Error(), "RENAMED") },
			[]fakeapi.Step{fakeapi.Send(line("RENAMED", "a", "8")), more, fakeapi.Hang()}},
		{"something comes that is no JSON", "a *json.SyntaxError",
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
				if w.Err() == nil {
					v.PointsTo = "the belief that such an end is a clean one. " +
						"To the caller it now looks like a watch that the server finished"
				}
				exercise.Expect(t, tc.right(w.Err()), v)
				s.expectClosed(tc.name)
				s.expectNoGoroutine(tc.name)
				s.expectOneRequest(tc.name)
			})
		})
	}
}

func TestReadErrorIsTold(t *testing.T) {
	exercise.Attempted(t, leaks, hangs)
	exercise.Bubble(t, func(t *testing.T) {
		reset := errors.New("read tcp 127.0.0.1:6443: connection reset by peer")
		broken, server := io.Pipe()
		b := body{broken, make(chan bool, 1)}
		go func() {
			_, _ = server.Write([]byte(line("ADDED", "a", "5")))
			_ = server.CloseWithError(reset)
		}()
		s := newScene(t)
		s.client = &http.Client{Transport: transport(func(r *http.Request) (*http.Response, error) {
			return &http.Response{Status: "200 OK", StatusCode: 200, Header: http.Header{}, Body: b, Request: r}, nil
		})}
		w := s.follow()
		s.expectEvent(w, line("ADDED", "a", "5"), "the first event is there")
		_, open, waited := s.receive(w)
		exercise.Expect(t, !open && !waited, exercise.Verdict{
			Expected: fmt.Sprintf("reading the body fails with %q; Events is closed", reset),
			Happened: "a second later it was still open",
		})
		s.expectErr(w, reset, "reading the body has failed")
		synctest.Wait()
		exercise.Expect(t, len(b.closed) == 1, exercise.Verdict{
			Expected: "reading the body has failed, and the body is closed",
			Happened: "nobody has called its Close",
		})
	})
}

func TestSlowReaderLosesNothing(t *testing.T) {
	exercise.Attempted(t, leaks, hangs)
	const events = 300
	for _, tc := range []struct {
		name string
		end  []fakeapi.Step
		want error
	}{
		{"the server has ended the stream meanwhile", nil, nil},
		{"the stream goes on", []fakeapi.Step{fakeapi.Hang()}, nil},
		{"the connection was cut meanwhile", []fakeapi.Step{fakeapi.Cut()}, io.ErrUnexpectedEOF},
	} {
		t.Run(tc.name, func(t *testing.T) {
			exercise.Bubble(t, func(t *testing.T) {
				s := newScene(t, fakeapi.Stream(append([]fakeapi.Step{fakeapi.Send(lines(events))}, tc.end...)...))
				w := s.follow()
				for i := range events {
					time.Sleep(time.Second) // the reader's work
					s.expectNext(w, i, tc.name)
				}
				if len(tc.end) > 0 && tc.want == nil {
					return
				}
				s.expectEnd(w, "the reader has taken all events, and "+tc.name)
				if tc.want != nil {
					s.expectErr(w, tc.want, "the connection was cut")
				}
			})
		})
	}
}

func TestErrIsThereWhenEventsIsClosed(t *testing.T) {
	exercise.Attempted(t, leaks, hangs)
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

func TestContextDeadlineIsTold(t *testing.T) {
	exercise.Attempted(t, leaks, hangs)
	exercise.Bubble(t, func(t *testing.T) {
		events := lines(1) + strings.Repeat(line("MODIFIED", "a", "200"), 20)
		s := newScene(t, fakeapi.Stream(fakeapi.Send(events), fakeapi.Hang()))
		s.deadline(time.Minute)
		w := s.follow()
		s.expectEvent(w, lines(1), "the server has sent the first event")
		time.Sleep(2 * time.Minute)
		synctest.Wait()
		drain(w) // what had been passed on before the deadline may still come
		s.expectEnd(w, "the deadline of ctx has passed")
		s.expectErr(w, context.DeadlineExceeded, "the deadline of ctx has passed")
		s.expectClosed("the deadline of ctx has passed")
	})
}

func TestContextEndsWithACause(t *testing.T) {
	exercise.Attempted(t, leaks, hangs)
	exercise.Bubble(t, func(t *testing.T) {
		s := newScene(t, fakeapi.Silence())
		s.cause(errors.New("the user has closed the window"))
		time.AfterFunc(time.Minute, s.cancel)
		_, err, _ := s.callWithin(2 * time.Minute)
		exercise.Expect(t, errors.Is(err, context.Canceled), exercise.Verdict{
			Expected: "ctx is cancelled with a cause of its own before the server has answered; " +
				"in what Follow returns, errors.Is finds ctx.Err(), context.Canceled",
			Happened: "Follow returned " + quoted(err),
		})
	})
	for _, tc := range []struct {
		name  string
		steps []fakeapi.Step
	}{
		{"a watch on which nothing happens", nil},
		{"a watch with an event that nobody takes", []fakeapi.Step{fakeapi.Send(lines(100))}},
	} {
		exercise.Bubble(t, func(t *testing.T) {
			s := newScene(t, fakeapi.Stream(append(tc.steps, fakeapi.Hang())...))
			s.cause(errors.New("the user has closed the window"))
			w := s.follow()
			time.Sleep(time.Minute + time.Second/3)
			s.expectOver(w, tc.name)
			s.expectErr(w, context.Canceled, "ctx was cancelled with a cause of its own during "+tc.name)
		})
	}
}

func TestWatchesAreOnTheirOwn(t *testing.T) {
	exercise.Attempted(t, leaks, hangs)
	exercise.Bubble(t, func(t *testing.T) {
		gate := fakeapi.NewGate()
		one, other := line("ADDED", "a", "5"), line("ADDED", "b", "7")
		s := newScene(t, fakeapi.Stream(fakeapi.Send(one), fakeapi.Hang()),
			fakeapi.Stream(fakeapi.Send(other), fakeapi.Pause(gate), fakeapi.Send(other)))
		ctx := s.ctx
		s.deadline(time.Hour)
		first := s.follow()
		end := s.cancel
		s.ctx = ctx
		second := s.follow()
		s.expectEvent(second, other, "two watches run on one client, and each has sent an event; from the second")
		s.expectEvent(first, one, "two watches run on one client, and each has sent an event; from the first")
		end()
		synctest.Wait()
		gate.Open()
		s.expectEvent(second, other, "ctx of the first watch has ended, and the second one goes on")
		_, open, waited := s.receive(second)
		exercise.Expect(t, !open && !waited && second.Err() == nil, exercise.Verdict{
			Expected: "ctx of the first watch has ended, and the server has ended the second; " +
				"its Events is closed and its Err nil",
			Happened: fmt.Sprintf("closed: %v; Err: %v", !open, second.Err()),
		})
		_, closed := drain(first)
		exercise.Expect(t, closed && errors.Is(first.Err(), context.Canceled), exercise.Verdict{
			Expected: "ctx of the first watch has ended; its Events is closed and its Err is context.Canceled",
			Happened: fmt.Sprintf("closed: %v; Err: %v", closed, first.Err()),
		})
	})
}
