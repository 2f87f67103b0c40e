// Stage 3: ctx ends it

package follow_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise/fakeapi"
)

func TestContextEndsABusyWatch(t *testing.T) {
	exercise.Attempted(t)
	exercise.Bubble(t, func(t *testing.T) {
		var steps []fakeapi.Step
		for range 1000 {
			steps = append(steps, fakeapi.Send(line("MODIFIED", "a", "6")), fakeapi.Sleep(time.Second))
		}
		s := newScene(t, fakeapi.Stream(steps...))
		s.opening = true
		w := s.follow()
		for range 10 {
			s.receiveWithin(w, time.Minute)
		}
		time.Sleep(time.Second / 2)
		s.cancel()
		events, open, minute := 0, true, time.After(time.Minute)
		for waited := false; open && !waited; {
			select {
			case _, open = <-w.Events():
				events++
			case <-minute:
				waited = true
			}
		}
		v := exercise.Verdict{
			Expected: "ctx ends during a watch on which an event comes every second; the watch is over",
			Happened: "a minute later Events was still open",
		}
		if events > 10 {
			v.Happened = "a minute later events still came out of Events"
		}
		exercise.Expect(t, !open, v)
	})
}

func TestContextEndsAQuietWatch(t *testing.T) {
	exercise.Attempted(t)
	for _, tc := range []struct {
		name     string
		deadline time.Duration
		steps    []fakeapi.Step
		want     error
	}{
		{"a watch on which nothing happens", 0, nil, context.Canceled},
		{"a watch in the middle of an event", 0, []fakeapi.Step{fakeapi.Send(`{"type":"ADDED","obj`)},
			context.Canceled},
		{"a watch whose ctx has a deadline", 2 * time.Minute, nil, context.DeadlineExceeded},
	} {
		t.Run(tc.name, func(t *testing.T) {
			exercise.Bubble(t, func(t *testing.T) {
				s := newScene(t, fakeapi.Stream(append(tc.steps, fakeapi.Hang())...))
				if tc.deadline > 0 {
					s.deadline(tc.deadline)
				}
				w := s.follow()
				time.Sleep(time.Minute + time.Second/3)
				s.expectOver(w, tc.name)
				s.expectErr(w, tc.want, "ctx has ended")
				s.expectOneRequest("ctx has ended")
			})
		})
	}
}

func TestContextEndsBeforeTheAnswer(t *testing.T) {
	exercise.Attempted(t)
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
			start := time.Now()
			_, err, returned := s.callWithin(2 * time.Minute)
			late := time.Since(start) - tc.after
			v := exercise.Verdict{
				Expected: "ctx ends " + tc.name + "; at once Follow returns an error in which errors.Is finds " +
					"ctx.Err(), context.Canceled",
				Happened: "Follow returned " + quoted(err),
			}
			if !returned {
				v.Happened = "Follow had not returned a minute later"
				v.PointsTo = "the belief that the server always answers. " +
					"The wait for its answer is part of the watch, and ctx ends it too"
			}
			if returned && late > 0 {
				v.Happened += fmt.Sprintf(", %v later", late)
			}
			exercise.Expect(t, returned && late == 0 && errors.Is(err, context.Canceled), v)
		})
	}
}
