// Stage 3: a key, once

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

// The opening: a key is started while its task runs.
func TestKeyAtWork(t *testing.T) {
	exercise.Attempted(t, fair...)
	play(t, "New(2); Start a: a begins; Start a: Start returns false; a returns: done(a, nil)", nil)
}

func TestKeyThatWaits(t *testing.T) {
	exercise.Attempted(t, fair...)
	play(t, "New(1); Start a, b: a begins; Start b: Start returns false; a returns: b begins, done(a, nil); "+
		"b returns: done(b, nil)", clues{
		"": "the belief that only what runs can come a second time. What waits will run",
	})
	play(t, "New(1); Start a, b: a begins; Start another b: Start returns false; a returns: b begins, done(a, nil)", clues{
		"another b begins, done(a, nil)": "the belief that the newest task takes the place of one that waits. Start has " +
			"said that it was not taken",
	})
	play(t, "New(1); Start a, b, c: a begins; Start b: Start returns false; a returns: b begins, done(a, nil); "+
		"b returns: c begins, done(b, nil)", nil)
}

func TestKeyIsFree(t *testing.T) {
	exercise.Attempted(t, fair...)
	play(t, "New(2); Start a: a begins; a fails: done(a, its error); Start a: a begins; a returns: done(a, nil); "+
		"Start a: a begins", clues{
		"Start returns false": roomIsKept,
	})
	const freeAfterwards = "the belief that a key is at work until done has returned. done is told of what is over, and may " +
		"want another try"
	play(t, "New(1); Start a: a begins; done calls Start; a fails: a begins, done(a, its error); a returns: done(a, nil)",
		clues{"Start returns false, done(a, its error)": freeAfterwards})
	play(t, "New(1); Start a, b: a begins; done calls Start; a returns: b begins, done(a, nil); "+
		"b returns: a begins, done(b, nil)", clues{"Start returns false, b begins, done(a, nil)": freeAfterwards})
}

func TestCancelWhatWaits(t *testing.T) {
	exercise.Attempted(t, fair...)
	const takenIsDone = "the belief that what was taken has to be begun. Nobody wants it any more"
	play(t, "New(1); Start a, b, c: a begins; Cancel b; a returns: c begins, done(a, nil); c returns: done(c, nil)", clues{
		"b begins, done(a, nil)":                        takenIsDone,
		"b begins, done(a, nil), the context of b ends": takenIsDone,
		"done(b, context canceled)": "the belief that done is told of each task. It is told what came of a start, and " +
			"there was none",
		"c begins, done(a, nil), done(b, context canceled)": "the belief that done is told of each task. It is told what " +
			"came of a start, and there was none",
	})
	play(t, "New(1); Start a, b, c: a begins; Cancel b; Start b; a returns: c begins, done(a, nil); "+
		"c returns: b begins, done(c, nil)", clues{
		"Start returns false": "the belief that a key is free when its task would have had its turn",
	})
	play(t, "New(2); Start a, b, c: a begins, b begins; Cancel c; a returns: done(a, nil); b returns: done(b, nil); "+
		"Start d, e: d begins, e begins", nil)
	play(t, "New(1); Start a, b: a begins; Cancel b, and a returns: done(a, nil)", nil)
	play(t, "New(1); Start a, b: a begins; Cancel b, and Start b; a returns: b begins, done(a, nil)", nil)
}

func TestCancelWhatRuns(t *testing.T) {
	exercise.Attempted(t, fair...)
	play(t, "New(2); Start a, b: a begins, b begins; Cancel a: the context of a ends; a fails: done(a, its error); "+
		"b returns: done(b, nil)", nil)
	play(t, "New(1); Start a, b: a begins; Cancel a: the context of a ends; a returns: b begins, done(a, nil)", clues{
		"b begins, the context of a ends": notAtWork,
	})
	play(t, "New(2); Start a: a begins; Cancel a: the context of a ends; Start a: Start returns false; "+
		"a returns: done(a, nil); Start a: a begins", clues{
		"a begins": notAtWork,
	})
	play(t, "New(2); Cancel a; Start a: a begins; a returns: done(a, nil); Cancel a; Start a: a begins; "+
		"Cancel a: the context of a ends; Cancel a", clues{
		"a begins, the context of a ends": "the belief that a cancellation is for what will come, too. It is for the task " +
			"that is there",
	})
}

// All ways to do five things with two keys and room for one, and four with three keys and room for two.
func TestEveryHistory(t *testing.T) {
	exercise.Attempted(t, fair...)
	everyHistory(t, 1, 5, "Start a", "Start b", "Cancel a", "Cancel b", "a returns", "b fails")
	everyHistory(t, 2, 4, "Start a", "Start b", "Start c", "Cancel a", "Cancel c", "a returns", "b fails")
}

// Many goroutines start and cancel the same keys.
func TestCallsAtOnce(t *testing.T) {
	exercise.Attempted(t, fair...)
	const most, callers, keys, calls = 3, 8, 5, 500
	var taken, ended, told, running, together atomic.Int64
	var busy [keys]atomic.Int64
	exercise.Bubble(t, func(*testing.T) {
		s := New(most, func(string, error) { told.Add(1) })
		for caller := range callers {
			go func() {
				for n := range calls {
					key := (n + caller) % keys
					if s.Start(context.Background(), fmt.Sprint(key), func(context.Context) error {
						if busy[key].Add(1) > 1 || running.Add(1) > most {
							together.Add(1)
						}
						time.Sleep(time.Microsecond)
						running.Add(-1)
						busy[key].Add(-1)
						ended.Add(1)
						return nil
					}) {
						taken.Add(1)
					}
					if n%7 == 0 {
						s.Cancel(fmt.Sprint(n % keys))
					}
					time.Sleep(time.Microsecond)
				}
			}()
		}
		time.Sleep(time.Hour)
		synctest.Wait()
	})
	story := fmt.Sprintf("New(%d); %d goroutines start and cancel %d keys, %d times each: ", most, callers, keys, calls)
	exercise.Expect(t, together.Load() == 0, exercise.Verdict{
		Expected: fmt.Sprintf("%sno key has two tasks at once, and no more than %d run", story, most),
		Happened: fmt.Sprintf("that happened %d times", together.Load()),
	})
	exercise.Expect(t, told.Load() == ended.Load() && ended.Load() > 0, exercise.Verdict{
		Expected: story + "done is told as often as a task returns",
		Happened: fmt.Sprintf("%d were taken, %d returned, and done was told %d times", taken.Load(), ended.Load(), told.Load()),
	})
}
