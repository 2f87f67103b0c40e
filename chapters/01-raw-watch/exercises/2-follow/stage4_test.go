// Stage 4: a reader who is slow, or gone

package follow_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise/fakeapi"
)

func TestContextEndsWhileAnEventWaits(t *testing.T) {
	exercise.Attempted(t)
	exercise.Bubble(t, func(t *testing.T) {
		s := newScene(t, fakeapi.Stream(fakeapi.Send(lines(800)), fakeapi.Hang()))
		s.opening = true
		w := s.follow()
		s.expectEvent(w, lines(1), "the server has 800 events to send")
		time.Sleep(time.Minute + time.Second/3)
		s.expectOver(w, "a watch of whose 800 events the reader has taken one")
	})
}

func TestContextEndsAWatchThatNobodyReads(t *testing.T) {
	exercise.Attempted(t)
	exercise.Bubble(t, func(t *testing.T) {
		const events = 6000 // more than a buffer would hold
		s := newScene(t, fakeapi.Stream(fakeapi.Send(strings.Repeat(line("ADDED", "a", "100"), events)),
			fakeapi.Hang()))
		w := s.follow()
		s.expectEvent(w, line("ADDED", "a", "100"), fmt.Sprintf("the server has %d events to send", events))
		time.Sleep(time.Minute + time.Second/3)
		s.expectOver(w, fmt.Sprintf("a watch of whose %d events the reader has taken one", events))
		s.expectErr(w, context.Canceled, "ctx has ended")
	})
}

func TestSlowReaderLosesNothing(t *testing.T) {
	exercise.Attempted(t)
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

func TestWatchesAreOnTheirOwn(t *testing.T) {
	exercise.Attempted(t)
	exercise.Bubble(t, func(t *testing.T) {
		gate := fakeapi.NewGate()
		one, other := line("ADDED", "a", "5"), line("ADDED", "b", "7")
		s := newScene(t, fakeapi.Stream(fakeapi.Send(one), fakeapi.Hang()),
			fakeapi.Stream(fakeapi.Send(other), fakeapi.Pause(gate), fakeapi.Send(other)))
		s.client.Timeout = 1000 * time.Hour
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
		exercise.Expect(t, s.client.Timeout == 1000*time.Hour, exercise.Verdict{
			Expected: "the client is the caller's, and has the Timeout of 1000h0m0s that it had",
			Happened: fmt.Sprintf("its Timeout is %v", s.client.Timeout),
		})
	})
}
