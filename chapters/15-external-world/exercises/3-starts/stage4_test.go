// Stage 4 (hard): the end, and a panic

package starts_test

import (
	"context"
	"testing"
	"testing/synctest"

	. "github.com/controllers-from-scratch/controllers-from-scratch/chapters/15-external-world/exercises/3-starts"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise"
)

// The opening: it stops while nothing runs.
func TestStop(t *testing.T) {
	exercise.Attempted(t, fair...)
	play(t, "New(1); Start a: a begins; a returns: done(a, nil); Stop: Stop returns; Start b: Start returns false", nil)
}

func TestNothingBegins(t *testing.T) {
	exercise.Attempted(t, fair...)
	play(t, "New(1); Start a, b, c: a begins; Stop; a returns: Stop returns, done(a, nil)", clues{
		"the context of a ends":  endOfEach,
		"b begins, done(a, nil)": "the belief that what was taken is done before the end. Each start would take another second",
		"done(b, context canceled), done(c, context canceled)": "the belief that done is told of each task. What never " +
			"began has led to nothing",
	})
	play(t, "New(2); Start a: a begins; Stop; Start b: Start returns false; a returns: Stop returns, done(a, nil); "+
		"Start c: Start returns false", nil)
}

func TestWhatRunsGoesOn(t *testing.T) {
	exercise.Attempted(t, fair...)
	play(t, "New(3); Start a, b: a begins, b begins; Stop; b fails: done(b, its error); a returns: Stop returns, done(a, nil)",
		clues{
			"the context of a ends, the context of b ends": endOfEach,
			"done(a, nil); within an hour: Stop returns":   looking,
			"Stop returns, done(b, its error)":             "the belief that the first to end is the last",
		})
	play(t, "New(2); Start a: a begins; Stop; Cancel a: the context of a ends; a returns: Stop returns, done(a, nil)", nil)
}

func TestUntilAllIsTold(t *testing.T) {
	exercise.Attempted(t, fair...)
	play(t, "New(1); done takes an hour; Start a: a begins; a returns: done(a, nil); Stop; "+
		"an hour passes: Stop returns, done returns", clues{"Stop returns": toldLater})
	play(t, "New(2); done takes an hour; Start a: a begins; Stop; a returns: done(a, nil); "+
		"an hour passes: Stop returns, done returns", clues{"Stop returns, done(a, nil)": toldLater})
	play(t, "New(1); Start a: a begins; done calls Start; Stop; a fails: Start returns false, Stop returns, "+
		"done(a, its error)", nil)
}

func TestPanic(t *testing.T) {
	exercise.Attempted(t, fair...)
	play(t, "New(1); Start a, b: a begins; a panics: b begins, done(a, its panic); Start a; b returns: a begins, done(b, nil)",
		clues{
			"done(a, its panic)":     roomIsKept,
			"b begins":               "the belief that a panic that was caught is over. Somebody waits for what came of the task",
			"b begins, done(a, nil)": "the belief that a task without an error has gone well. Where there was a panic, nothing was returned",
			"":                       roomIsKept,
			"Start returns false":    roomIsKept,
		})
	play(t, "New(2); Start a, b: a begins, b begins; Stop; a panics: done(a, its panic); b panics: Stop returns, "+
		"done(b, its panic)", nil)
	play(t, "New(1); Start a: a begins; Cancel a: the context of a ends; a panics: done(a, its panic); Start a: a begins", nil)
}

// All ways to do five things, and four, until it stops and after.
func TestEveryHistoryWithAStop(t *testing.T) {
	exercise.Attempted(t, fair...)
	everyHistory(t, 1, 5, "Start b", "Cancel a", "Cancel b", "a panics", "b returns", "Stop")
	everyHistory(t, 2, 4, "Start b", "Start c", "Cancel a", "Cancel c", "a panics", "b returns", "Stop")
}

func TestTwoOfThem(t *testing.T) {
	exercise.Attempted(t, fair...)
	var begun [2]bool
	exercise.Bubble(t, func(*testing.T) {
		end := make(chan bool)
		for i := range begun {
			s := New(1, func(string, error) {})
			s.Start(context.Background(), "a", func(context.Context) error {
				begun[i] = true
				<-end
				return nil
			})
		}
		synctest.Wait()
		close(end)
	})
	exercise.Expect(t, begun[0] && begun[1], exercise.Verdict{
		Expected: "two Starts, each with room for one; Start a with each: both tasks begin",
		Happened: "one did not",
	})
}

// A Stop, and another call that nothing orders. It is the race detector that has something to say.
func TestCallsBesideAStop(t *testing.T) {
	exercise.Attempted(t, fair...)
	calls := []func(*Starts){
		func(s *Starts) { s.Start(context.Background(), "a", func(context.Context) error { return nil }) },
		func(s *Starts) { s.Start(context.Background(), "d", func(context.Context) error { panic("d") }) },
		func(s *Starts) { s.Cancel("a") },
		func(s *Starts) { s.Cancel("c") },
	}
	exercise.Bubble(t, func(*testing.T) {
		for range 20 {
			for _, call := range calls {
				end := make(chan bool)
				s := New(2, func(string, error) {})
				for _, key := range []string{"a", "b", "c"} {
					s.Start(context.Background(), key, func(context.Context) error {
						<-end
						return nil
					})
				}
				go s.Stop()
				go call(s)
				go close(end)
				synctest.Wait()
			}
		}
	})
}
