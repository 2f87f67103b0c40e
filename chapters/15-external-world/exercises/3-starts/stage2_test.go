// Stage 2: no more than most at once

package starts_test

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	. "github.com/controllers-from-scratch/controllers-from-scratch/chapters/15-external-world/exercises/3-starts"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise"
)

// The opening: two tasks, each of which takes a second, and room for one.
func TestRoomForOne(t *testing.T) {
	exercise.Attempted(t, fair...)
	var running, highest atomic.Int64
	exercise.Bubble(t, func(*testing.T) {
		s := New(1, func(string, error) {})
		for _, key := range []string{"a", "b"} {
			go s.Start(context.Background(), key, func(context.Context) error {
				highest.Store(max(highest.Load(), running.Add(1)))
				time.Sleep(time.Second)
				running.Add(-1)
				return nil
			})
			synctest.Wait()
		}
		time.Sleep(time.Hour)
	})
	exercise.Expect(t, highest.Load() == 1, exercise.Verdict{
		Expected: "New(1); Start a; Start b, with tasks that take a second: no more than one runs at once",
		Happened: fmt.Sprintf("%d ran at once", highest.Load()),
	})
}

func TestStartDoesNotWait(t *testing.T) {
	exercise.Attempted(t, fair...)
	play(t, "New(1); Start a: a begins; Start b; a returns: b begins, done(a, nil); b returns: done(b, nil)", clues{
		"Start does not return": "the belief that whoever finds no room has to wait for it. This is a run, and it has a " +
			"worker that others need",
		"Start returns false":                    "the belief that whoever finds no room can come again. Nobody tells it when",
		"done(a, nil); within an hour: b begins": looking,
	})
}

func TestInTheOrderOfTheStarts(t *testing.T) {
	exercise.Attempted(t, fair...)
	play(t, "New(1); Start a: a begins; Start b; Start d; Start c; a returns: b begins, done(a, nil); "+
		"b returns: d begins, done(b, nil); d returns: c begins, done(d, nil)", clues{
		"c begins, done(a, nil)": "the belief that the last is the most urgent. While more come, the first waits for ever",
	})
	const order = "the belief that goroutines run in the order in which they were begun. Nothing orders them"
	play(t, "New(1); Start a: a begins; Start b, c, d, e; a returns: b begins, done(a, nil); "+
		"b returns: c begins, done(b, nil); c returns: d begins, done(c, nil); d returns: done(d, nil), e begins", clues{
		"done(a, nil), e begins": order,
		"c begins, done(a, nil)": order,
		"d begins, done(a, nil)": order,
	})
}

func TestAsSoonAsThereIsRoom(t *testing.T) {
	exercise.Attempted(t, fair...)
	const batch = "the belief that those who begin together end together. One slow task would hold up all that wait"
	play(t, "New(2); Start a, b, c, d: a begins, b begins; b returns: c begins, done(b, nil); "+
		"c returns: d begins, done(c, nil); a returns: done(a, nil); d returns: done(d, nil)", clues{
		"done(b, nil)":                           batch,
		"done(b, nil); within an hour: c begins": looking,
	})
	play(t, "New(1); Start a, b: a begins; a fails: b begins, done(a, its error); b returns: done(b, nil)", clues{
		"done(a, its error)": roomIsKept,
	})
	play(t, "New(2); Start a, b, c: a begins, b begins; a returns: c begins, done(a, nil); b returns: done(b, nil); "+
		"Start d: d begins; c returns: done(c, nil); d returns: done(d, nil); Start e, f, a: e begins, f begins; "+
		"e returns: a begins, done(e, nil)", nil)
}

// More tasks than somebody thinks of, each of which takes a second.
func TestAnyNumberWaits(t *testing.T) {
	exercise.Attempted(t, fair...)
	const most, tasks = 3, 300
	var taken, atOnce, running, highest, told atomic.Int64
	exercise.Bubble(t, func(*testing.T) {
		s := New(most, func(string, error) { told.Add(1) })
		go func() {
			for n := range tasks {
				if s.Start(context.Background(), fmt.Sprint(n), func(context.Context) error {
					highest.Store(max(highest.Load(), running.Add(1)))
					time.Sleep(time.Second)
					running.Add(-1)
					return nil
				}) {
					taken.Add(1)
				}
			}
		}()
		synctest.Wait()
		atOnce.Store(taken.Load())
		time.Sleep(time.Hour)
	})
	story := fmt.Sprintf("New(%d); Start %d times, with a task that takes a second: ", most, tasks)
	for _, check := range []struct {
		what             string
		got, want        int64
		belief, happened string
	}{
		{"each Start returns true at once", atOnce.Load(), tasks,
			"the belief that there is a number of tasks that is never exceeded", "%d did"},
		{"no more than 3 run at once", highest.Load(), most, "", "%d ran at once"},
		{"done is told of each", told.Load(), tasks, "", "it was told of %d"},
	} {
		exercise.Expect(t, check.got == check.want, exercise.Verdict{
			Expected: story + check.what,
			Happened: fmt.Sprintf(check.happened, check.got),
			PointsTo: check.belief,
		})
	}
}
