package follow

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/fakeapi"
)

func TestPassesEventsOnUntilTheServerEndsTheWatch(t *testing.T) {
	exercise.Attempted(t, leaks)
	exercise.Bubble(t, func(t *testing.T) {
		gate := fakeapi.NewGate()
		s := newScene(t, fakeapi.Stream(
			fakeapi.Send(line("ADDED", "a", "5")), fakeapi.Pause(gate),
			fakeapi.Send(line("MODIFIED", "a", "6"), line("DELETED", "a", "7"))))
		w := s.follow()
		s.expectEvent(w, "ADDED", "5", "the server has sent the first event, and keeps the stream open")
		gate.Open()
		s.expectEvent(w, "MODIFIED", "6", "the server has sent two more events")
		s.expectEvent(w, "DELETED", "7", "the server has sent two more events")
		s.expectEnd(w, "the server has ended the stream after its third event")
		exercise.Expect(t, w.Err() == nil, exercise.Verdict{
			Expected: "the server ended the stream between two events, and Err returns nil",
			Happened: fmt.Sprintf("Err returned %q", w.Err()),
			PointsTo: "the belief that an end is a failure. A server finishes every watch some day, and nothing is lost by it",
		})
		s.expectClosed("the server has ended the stream, and ctx goes on")
		s.expectOneRequest("the server has ended the stream")
	})
}

func TestReturnsBeforeTheFirstEvent(t *testing.T) {
	exercise.Attempted(t, leaks)
	exercise.Bubble(t, func(t *testing.T) {
		s := newScene(t, fakeapi.Stream(fakeapi.Hang()))
		if _, _, returned := s.call(); !returned {
			exercise.Fail(t, exercise.Verdict{
				Expected: "the server has answered 200 and has no event to send; Follow returns its Watch",
				Happened: "Follow has not returned",
				PointsTo: "the belief that a watch which is open has something to say. It is open when the header is there, " +
					"and the first event may be hours away",
			})
		}
	})
}

func TestRefused(t *testing.T) {
	exercise.Attempted(t, leaks)
	exercise.Bubble(t, func(t *testing.T) {
		s := newScene(t, fakeapi.Status(403, "Forbidden", `configmaps is forbidden: User "eve" cannot watch`))
		w, err, returned := s.call()
		s.expectGivenClient()
		v := exercise.Verdict{
			Expected: "the server answers 403, and Follow returns an error in which errors.As finds the *StatusError with code 403",
			Happened: fmt.Sprintf("Follow returned the error %q", err),
			PointsTo: "the belief that the status line says it all. Which code it was, and why, a caller has to be able to ask of the error",
		}
		switch {
		case !returned:
			v.Happened = "Follow did not return"
			v.PointsTo = "the belief that there are events in every answer"
		case err == nil:
			v.Happened = "Follow returned a Watch and no error"
			if w == nil {
				v.Happened = "Follow returned neither a Watch nor an error"
			}
			v.PointsTo = "the belief that an answer is the answer that was hoped for: client.Do reports an error when there is no response, " +
				"and a refusal is a response"
			if w != nil && w.Events() != nil {
				if _, open, waited := s.receive(w); !waited && !open {
					v.Happened += fmt.Sprintf("; Events was closed at once, and Err said %q", short(fmt.Sprint(w.Err())))
				}
			}
		}
		var status *StatusError
		exercise.Expect(t, errors.As(err, &status) && status.Code == 403, v)
		s.expectClosed("Follow has returned the refusal")
	})
}

func TestQuietWatchStaysOpen(t *testing.T) {
	exercise.Attempted(t, leaks)
	exercise.Bubble(t, func(t *testing.T) {
		const quiet = 12 * time.Hour
		s := newScene(t, fakeapi.Stream(
			fakeapi.Send(line("ADDED", "a", "5")), fakeapi.Sleep(quiet), fakeapi.Send(line("MODIFIED", "a", "6"))))
		w := s.follow()
		s.expectEvent(w, "ADDED", "5", "the server has sent the first event")
		start := time.Now()
		event, open, waited := s.receiveWithin(w, quiet+time.Minute)
		v := exercise.Verdict{
			Expected: "nothing changes for 12 hours, then the server sends an event, and the event comes out of Events",
			PointsTo: "the belief that a limit on a request is a limit on the wait for an answer. Its clock runs until the body has been " +
				"read to the end, so that it ends a watch which works",
		}
		switch {
		case waited:
			v.Happened = "nothing came"
			v.PointsTo = "whether anybody still reads the stream"
		case !open:
			v.Happened = fmt.Sprintf("after %v Events was closed, and Err said %q; ctx had not ended", time.Since(start), short(fmt.Sprint(w.Err())))
		}
		exercise.Expect(t, v.Happened == "" && event.Type == "MODIFIED", v)
	})
}

func TestSlowReaderLosesNothing(t *testing.T) {
	exercise.Attempted(t, leaks)
	exercise.Bubble(t, func(t *testing.T) {
		const events = 300
		s := newScene(t, fakeapi.Stream(fakeapi.Send(lines(events)), fakeapi.Hang()))
		w := s.follow()
		for i := range events {
			time.Sleep(time.Second) // the reader's work
			event, open, waited := s.receiveWithin(w, time.Minute)
			want := fmt.Sprint(100 + i)
			if open && version(event) == want {
				continue
			}
			v := exercise.Verdict{
				Expected: fmt.Sprintf("the reader takes one event a second; after %d events comes the one with resourceVersion %s", i, want),
				Happened: "the next one was that with resourceVersion " + version(event),
				PointsTo: "the belief that a reader which is late can do without. There is no second time: the server sends each change once on a watch",
			}
			switch {
			case waited:
				v.Happened = fmt.Sprintf("no event came for a minute; your code has read %d of the stream's %d bytes",
					s.srv.Requests()[0].Read, len(lines(events)))
			case !open:
				v.Happened = fmt.Sprintf("Events was closed, and Err said %q", short(fmt.Sprint(w.Err())))
			}
			exercise.Fail(t, v)
		}
	})
}

func TestContextEndsAQuietWatch(t *testing.T) {
	exercise.Attempted(t, leaks)
	for _, tc := range []struct {
		name   string
		answer func() *fakeapi.Answer
	}{
		{"a watch on which nothing happens", func() *fakeapi.Answer { return fakeapi.Stream(fakeapi.Hang()) }},
		{"a watch in the middle of an event", func() *fakeapi.Answer {
			return fakeapi.Stream(fakeapi.Send(`{"type":"ADDED","obj`), fakeapi.Hang())
		}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			exercise.Bubble(t, func(t *testing.T) {
				s := newScene(t, tc.answer())
				w := s.follow()
				time.Sleep(time.Minute)
				s.cancel()
				_, open, waited := s.receive(w)
				v := exercise.Verdict{
					Expected: "ctx ends during " + tc.name + "; Events is closed, and the request is over",
					Happened: "a second later Events was still open, and the server still had the request",
					PointsTo: "the belief that ctx is looked at between events. The read that waits for the next event knows nothing of ctx, " +
						"and there may never be another event",
				}
				if s.srv.Requests()[0].Ending != "" {
					v.Happened = "a second later Events was still open, though the request was over"
					v.PointsTo = "the belief that the one who reads Events sees that the watch is over. A channel that nobody closes is silent"
				}
				exercise.Expect(t, !waited && !open, v)
				s.expectErr(w, context.Canceled, "ctx was cancelled")
			})
		})
	}
	t.Run("a server that does not answer", func(t *testing.T) {
		exercise.Bubble(t, func(t *testing.T) {
			s := newScene(t, fakeapi.Silence())
			time.AfterFunc(time.Minute, s.cancel)
			_, err, returned := s.callWithin(2 * time.Minute)
			exercise.Expect(t, returned && errors.Is(err, context.Canceled), exercise.Verdict{
				Expected: "ctx ends before the server has answered; Follow returns an error in which errors.Is finds context.Canceled",
				Happened: map[bool]string{true: fmt.Sprintf("Follow returned the error %q", fmt.Sprint(err)), false: "Follow had not returned a minute later"}[returned],
				PointsTo: "the belief that the server always answers. The wait for its answer is part of the watch, and ctx ends it too",
			})
		})
	})
}

func TestContextEndsAWatchThatNobodyReads(t *testing.T) {
	exercise.Attempted(t, leaks)
	exercise.Bubble(t, func(t *testing.T) {
		const events = 6000 // more than a buffer would hold
		s := newScene(t, fakeapi.Stream(fakeapi.Send(strings.Repeat(line("ADDED", "a", "100"), events)), fakeapi.Hang()))
		w := s.follow()
		s.expectEvent(w, "ADDED", "100", fmt.Sprintf("the server has %d events to send", events))
		time.Sleep(time.Minute)
		s.cancel() // and the reader goes away
		time.Sleep(time.Second)
		if open := s.srv.OpenBodies(); len(open) > 0 {
			exercise.Fail(t, exercise.Verdict{
				Expected: "the reader takes one of 6000 events, ends ctx and goes away; the goroutine that read the stream ends, and closes the body",
				Happened: "a second later the body is still open" + unread(w),
				PointsTo: "the belief that a send goes through, because somebody takes what is sent, or because a large buffer is never full. " +
					"The end of ctx wakes the one who reads from the network; who wakes the one who waits for a reader?",
			})
		}
	})
}

func TestSaysWhyTheWatchEnded(t *testing.T) {
	exercise.Attempted(t, leaks)
	for _, tc := range []struct {
		name  string
		steps []fakeapi.Step
		want  error // nil: a *StatusError 410
	}{
		{"the connection is cut between two events", []fakeapi.Step{fakeapi.Cut()}, io.ErrUnexpectedEOF},
		{"the connection is cut inside an event", []fakeapi.Step{fakeapi.Send(`{"type":"MODIF`), fakeapi.Cut()}, io.ErrUnexpectedEOF},
		{"the server sends an ERROR event, and leaves the stream open", []fakeapi.Step{
			fakeapi.Send(fakeapi.ErrorLine(410, "Expired", "too old resource version")), fakeapi.Hang()}, nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			exercise.Bubble(t, func(t *testing.T) {
				steps := append([]fakeapi.Step{fakeapi.Send(line("ADDED", "a", "5"))}, tc.steps...)
				s := newScene(t, fakeapi.Stream(steps...))
				s.srv.Otherwise(func(fakeapi.Request) *fakeapi.Answer { return fakeapi.Stream(steps...) })
				w := s.follow()
				s.expectEvent(w, "ADDED", "5", "the server has sent the first event")
				if event, open, waited := s.receive(w); open && !waited {
					s.expectOneRequest(tc.name)
					exercise.Fail(t, exercise.Verdict{
						Expected: tc.name + "; Events is closed",
						Happened: "another event came: " + event.Type,
						PointsTo: "which of the two that ReadEvent returned is to be looked at first",
					})
				}
				s.expectEnd(w, tc.name)
				if tc.want != nil {
					s.expectErr(w, tc.want, tc.name)
				} else {
					var status *StatusError
					exercise.Expect(t, errors.As(w.Err(), &status) && status.Code == 410, exercise.Verdict{
						Expected: tc.name + "; in Err, errors.As finds the *StatusError with code 410",
						Happened: fmt.Sprintf("Err returned %v", w.Err()),
						PointsTo: "the belief that whoever reads the events sees why there are no more",
					})
				}
				s.expectClosed(tc.name)
				s.expectOneRequest(tc.name)
			})
		})
	}
}

func TestErrIsThereWhenEventsIsClosed(t *testing.T) {
	exercise.Attempted(t, leaks)
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
	exercise.Attempted(t, leaks)
	exercise.Bubble(t, func(t *testing.T) {
		s := newScene(t, fakeapi.Stream(fakeapi.Send(lines(1)+strings.Repeat(line("MODIFIED", "a", "200"), 20)), fakeapi.Hang()))
		s.deadline(time.Minute)
		w := s.follow()
		s.expectEvent(w, "ADDED", "100", "the server has sent the first event")
		time.Sleep(2 * time.Minute)
		for range 50 { // what had been passed on before the deadline may still come
			if _, open, waited := s.receive(w); waited || !open {
				break
			}
		}
		s.expectEnd(w, "the deadline of ctx has passed")
		s.expectErr(w, context.DeadlineExceeded, "the deadline of ctx has passed")
		s.expectClosed("the deadline of ctx has passed")
	})
}
