// Stage 1: in the background

package starts_test

import (
	"context"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	. "github.com/controllers-from-scratch/controllers-from-scratch/chapters/15-external-world/exercises/3-starts"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise"
)

// The opening: one task, which returns after a while.
func TestInTheBackground(t *testing.T) {
	exercise.Attempted(t, fair...)
	play(t, "New(3); Start a: a begins; a returns: done(a, nil)", nil)
}

func TestSeveral(t *testing.T) {
	exercise.Attempted(t, fair...)
	play(t, "New(3); Start a, b, c: a begins, b begins, c begins; c fails: done(c, its error); b returns: done(b, nil); "+
		"a returns: done(a, nil)", clues{
		"done(c, nil)": "the belief that a start whose error nobody hears has gone well",
	})
	play(t, "New(3); Start a: a begins; a fails: done(a, its error); Start b: b begins; b returns: done(b, nil)", nil)
	play(t, "New(3); Start a: a begins; a returns: done(a, nil); Start a: a begins; a fails: done(a, its error)", nil)
}

// A run has a context, and a task needs one that lives longer.
func TestTheRunIsOver(t *testing.T) {
	exercise.Attempted(t, fair...)
	const runIsOver = "the belief that a context belongs to all that its owner begins. The run ends, and its context with " +
		"it; the task has only begun"
	for _, how := range []string{"cancelled", "over after a second, its deadline,"} {
		ended := error(nil)
		exercise.Bubble(t, func(*testing.T) {
			s := New(3, func(string, error) {})
			run, cancel := context.WithTimeout(context.Background(), time.Second)
			defer cancel()
			s.Start(run, "a", func(ctx context.Context) error {
				time.Sleep(time.Minute)
				ended = ctx.Err()
				return nil
			})
			synctest.Wait()
			if how == "cancelled" {
				cancel()
			}
			time.Sleep(time.Hour)
		})
		exercise.Expect(t, ended == nil, exercise.Verdict{
			Expected: "Start(ctx, a, task); ctx is " + how + " while the task runs: the task's context goes on",
			Happened: fmt.Sprintf("its Err() was %q", ended),
			PointsTo: runIsOver,
		})
	}
}

// who is the key of a context's value.
type who struct{}

func TestValues(t *testing.T) {
	exercise.Attempted(t, fair...)
	var value any
	exercise.Bubble(t, func(*testing.T) {
		s := New(3, func(string, error) {})
		s.Start(context.WithValue(context.Background(), who{}, "run 7"), "a", func(ctx context.Context) error {
			value = ctx.Value(who{})
			return nil
		})
		synctest.Wait()
	})
	exercise.Expect(t, value == "run 7", exercise.Verdict{
		Expected: `Start(ctx, a, task), and ctx has the value "run 7": the task's context has it, too`,
		Happened: fmt.Sprintf("it had the value %v", value),
		PointsTo: "the belief that a context is only its end. It carries who asks, for logs and traces",
	})
}
