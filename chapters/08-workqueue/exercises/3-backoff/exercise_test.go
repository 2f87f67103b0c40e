package backoff_test

import (
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	. "github.com/controllers-from-scratch/controllers-from-scratch/chapters/08-workqueue/exercises/3-backoff"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise"
)

func TestTwiceAsLongEachTime(t *testing.T) {
	exercise.Attempted(t)
	comes(t, time.Second, time.Hour, "a a a a a a", "a=1s a=2s a=4s a=8s a=16s a=32s", clues{
		"a=2s a=4s a=8s a=16s a=32s a=1m4s": "the belief that the failure that is being counted has doubled something " +
			"already. Before the first there was none, and so nothing is doubled yet",
	})
	comes(t, 5*time.Millisecond, 1000*time.Second, "a a a a", "a=5ms a=10ms a=20ms a=40ms", nil)
	comes(t, 15, time.Second, "a a a", "a=15ns a=30ns a=60ns", clues{
		"a=14ns a=29ns a=59ns": "the belief that a duration is the same when it was turned into seconds and back. " +
			"A float64 has few fractions exactly, and what is missing is cut off",
	})
	comes(t, 65*time.Microsecond, time.Second, "a a a", "a=65µs a=130µs a=260µs", nil)
}

func TestNeverLongerThanMax(t *testing.T) {
	exercise.Attempted(t)
	comes(t, time.Second, 10*time.Second, "a a a a a a", "a=1s a=2s a=4s a=8s a=10s a=10s", clues{
		"a=1s a=2s a=4s a=8s a=8s a=8s": "the belief that every delay is base, doubled so and so often. The longest " +
			"is max, whatever that is",
	})
	comes(t, time.Second, 8*time.Second, "a a a a a a", "a=1s a=2s a=4s a=8s a=8s a=8s", nil)
	comes(t, time.Second, 8*time.Second+1, "a a a a a", "a=1s a=2s a=4s a=8s a=8.000000001s", nil)
	comes(t, 7*time.Second, 10*time.Second, "a a a", "a=7s a=10s a=10s", nil)
	comes(t, 3*time.Second, 2*time.Second, "a a a", "a=2s a=2s a=2s", clues{
		"a=3s a=2s a=2s": "the belief that what was not doubled can't be too long",
	})
	comes(t, 2*time.Second, 2*time.Second, "a a a", "a=2s a=2s a=2s", nil)
}

// Up to a hundred days all delays are such as a float64 of nanoseconds has exactly, so that nothing needs rounding.
func TestHoweverManyFailures(t *testing.T) {
	exercise.Attempted(t)
	const most = time.Duration(math.MaxInt64)
	for _, test := range []struct {
		base, max time.Duration
		failures  int
	}{
		{1, 1<<62 - 1, 100},
		{5 * time.Millisecond, 1000 * time.Second, 5000},
		{5 * time.Millisecond, most, 5000},
		{1, most, 1000},
		{1024, 1000 * time.Second, 1000},
		{time.Second, most, 1000},
		{time.Hour, 30 * time.Hour, 1000},
		{1 << 61, most, 1000},
		{1 << 62, most, 1000},
		{3 << 60, most, 1000},
		{5 << 60, most, 1000},
		{most, most, 1000},
		{most, time.Second, 1000},
		{1, 1, 1000},
		{15, most, 1000},
		{30, 1000 * time.Second, 1000},
		{65 * time.Microsecond, 1000*time.Second + 1, 1000},
		{33333333333, most, 1000},
		{hundredDays - 1, most, 1000},
		{hundredDays + 1, most, 1000},
	} {
		b, before, want := New[string](test.base, test.max), time.Duration(0), min(test.base, test.max)
		twice := want // as long as what was told before
		for n := range test.failures {
			got := b.When("a")
			if !asLong(got, want, twice, test.max) {
				exercise.Fail(t, exercise.Verdict{
					Expected: fmt.Sprintf("base is %v and max %v: after failure %d the item waits for %v", test.base,
						test.max, n+1, want),
					Happened: fmt.Sprintf("it was %v, and after the failure before it %v", got, before),
					PointsTo: overflown(got, before, test.max),
				})
			}
			before, want, twice = got, doubled(want, test.max), doubled(got, test.max)
		}
	}
}

// overflown is the belief that leads to a delay which should not have been shorter than the one before, nor longer
// than max.
func overflown(got, before, max time.Duration) string {
	switch {
	case got < 0:
		return "the belief that whatever is too long for max is also found to be longer than max. What is too long for " +
			"an int64 has become negative, which is no wait at all: the item is tried again and again, at once"
	case got < before:
		return "the belief that what is too long for an int64 can be told by its sign. The highest bits are lost, and " +
			"the rest may be any duration"
	case got == max+1:
		return "the belief that a float64 has room for each int64. It has 53 bits, and the next one that it has " +
			"may be more than max"
	}
	return ""
}

func TestForgetBeginsAnew(t *testing.T) {
	exercise.Attempted(t)
	comes(t, time.Second, time.Hour, "a a a a- a a", "a=1s a=2s a=4s a- a=1s a=2s", clues{
		"a=1s a=2s a=4s a- a=4s a=8s": "the belief that a success makes up for one failure. What works again works: " +
			"the next failure is a first one",
	})
	comes(t, time.Second, 2*time.Second, "a a a a a- a", "a=1s a=2s a=2s a=2s a- a=1s", nil)
	comes(t, time.Second, time.Hour, "a- a- a a a- a- a a", "a- a- a=1s a=2s a- a- a=1s a=2s", nil)
	comes(t, time.Second, time.Hour, "a- a? a a a- a- a? a", "a- a?0 a=1s a=2s a- a- a?0 a=1s", nil)
}

func TestEachItemForItself(t *testing.T) {
	exercise.Attempted(t)
	const want = "a=1s a=2s b=1s a=4s b=2s a?3 b?2 c?0 a- b=4s a=1s"
	comes(t, time.Second, time.Hour, "a a b a b a? b? c? a- b a", want, clues{
		"a=1s a=2s b=4s a=8s b=16s a?5 b?5 c?5 a- b=1s a=2s": "the belief that it is the worker that fails. " +
			"One broken object would make all others wait",
	})
	b := New[any](time.Second, time.Hour)
	type pair struct{ namespace, name string }
	for _, item := range []any{"", "1", 1, int64(1), 0, 0.0, false, nil, pair{"a b", "c"}, pair{"a", "b c"},
		&pair{"a", "b"}, &pair{"a", "b"}} {
		got := b.When(item)
		exercise.Expect(t, got == time.Second, exercise.Verdict{
			Expected: fmt.Sprintf("base is 1s, and any value is an item. %#v fails for the first time, and is none of "+
				"those that failed before: it waits for 1s", item),
			Happened: fmt.Sprintf("it was %v", got),
		})
	}
	for _, item := range []any{pair{"a", "b c"}, math.Copysign(0, -1)} {
		got := b.When(item)
		exercise.Expect(t, got == 2*time.Second, exercise.Verdict{
			Expected: fmt.Sprintf("base is 1s, and an item has failed once that == says is equal to %#v (0.0 is equal "+
				"to -0.0). Now that fails: it waits for 2s", item),
			Happened: fmt.Sprintf("it was %v", got),
		})
	}
}

func TestNumRequeuesCountsTheFailures(t *testing.T) {
	exercise.Attempted(t)
	comes(t, time.Second, time.Hour, "a? a a? a? a a a? a- a? a a?",
		"a?0 a=1s a?1 a?1 a=2s a=4s a?3 a- a?0 a=1s a?1", nil)
	const enough = "the belief that nobody asks how often an item has failed when it can't wait any longer. " +
		"Who gives up after so many failures does"
	comes(t, time.Second, 2*time.Second, "a a a a a a?", "a=1s a=2s a=2s a=2s a=2s a?5", clues{
		"a=1s a=2s a=2s a=2s a=2s a?1": enough,
		"a=1s a=2s a=2s a=2s a=2s a?2": enough,
		"a=1s a=2s a=2s a=2s a=2s a?3": enough,
	})
	b := New[string](5*time.Millisecond, 1000*time.Second)
	for range 70000 {
		b.When("a")
	}
	got := b.NumRequeues("a")
	exercise.Expect(t, got == 70000, exercise.Verdict{
		Expected: "after 70000 failures NumRequeues returns 70000",
		Happened: fmt.Sprintf("it was %d", got),
	})
}

func TestTimeChangesNothing(t *testing.T) {
	exercise.Attempted(t)
	exercise.Bubble(t, func(*testing.T) {
		b, start := New[string](time.Second, 10*time.Second), time.Now()
		play(b, "a a a? b b-")
		took := time.Since(start)
		exercise.Expect(t, took == 0, exercise.Verdict{
			Expected: "no call waits: whoever asked When does that",
			Happened: fmt.Sprintf("four calls took %v", took),
		})
		for _, quiet := range []time.Duration{time.Minute, time.Hour, 30 * 24 * time.Hour} {
			time.Sleep(quiet)
			got := play(b, "a? a")
			want := "a?2 a=4s"
			exercise.Expect(t, got == want, exercise.Verdict{
				Expected: fmt.Sprintf("base is 1s and max 10s, a has failed two times, and then nothing happens for %v. "+
					"NumRequeues is still 2, and after the next failure a waits for 4s: %s", quiet, want),
				Happened: "it was " + got,
				PointsTo: clues{
					"a?0 a=1s": quietIsWell, "a?2 a=1s": quietIsWell,
				}[got],
			})
			play(b, "a- a a")
		}
	})
}

const quietIsWell = "the belief that an item of which nothing is heard is well. Nobody has tried it in all that time: " +
	"it waited, or workers had other things to do. Who succeeds says so"

func TestAtOnce(t *testing.T) {
	exercise.Attempted(t)
	for range 100 {
		item, count := twoAtOnce(New[int](1, time.Hour))
		exercise.Expect(t, count == 2, exercise.Verdict{
			Expected: fmt.Sprintf("two goroutines call When at once, each for the items 0 to %d: 2 failures of each count",
				pairs-1),
			Happened: fmt.Sprintf("it was %d for item %d", count, item),
			PointsTo: lost(count < 2),
		})
	}
	const workers, times, often = 8, 500, 5000
	b := New[string](1, time.Hour)
	var running sync.WaitGroup
	var told [workers][]time.Duration
	own := make([]int, workers)
	begin := make(chan struct{})
	for n := range workers {
		running.Go(func() {
			<-begin
			for range often {
				b.When("b")
			}
			mine := fmt.Sprint("item ", n)
			for range times {
				told[n] = append(told[n], b.When("a"))
				b.Forget(mine)
				b.When(mine)
				b.When(mine)
				b.NumRequeues("a")
				runtime.Gosched() // another has its turn: what was read without the lock is written next
			}
			own[n] = b.NumRequeues(mine)
		})
	}
	close(begin)
	running.Wait()
	for _, of := range []struct {
		item  string
		calls int
	}{{"a", times}, {"b", often}} {
		count, want := b.NumRequeues(of.item), workers*of.calls
		exercise.Expect(t, count == want, exercise.Verdict{
			Expected: fmt.Sprintf("%d goroutines call When for one item at once, each %d times: %d failures count", workers,
				of.calls, want),
			Happened: fmt.Sprintf("it was %d", count),
			PointsTo: lost(count < want),
		})
	}
	got := slices.Sorted(slices.Values(slices.Concat(told[:]...)))
	want := time.Duration(1)
	for n, delay := range got {
		if delay != want {
			exercise.Fail(t, exercise.Verdict{
				Expected: fmt.Sprintf("%d goroutines call When for one item at once, and each delay that is shorter than "+
					"max is told once: the next in order is %v", workers, want),
				Happened: fmt.Sprintf("it was %v, after %s", delay, strings.Trim(fmt.Sprint(got[max(0, n-3):n]), "[]")),
			})
		}
		want = doubled(want, time.Hour)
	}
	for n, failures := range own {
		exercise.Expect(t, failures == 2, exercise.Verdict{
			Expected: "an item that only one goroutine knows was forgotten and has failed twice since: NumRequeues is 2",
			Happened: fmt.Sprintf("it was %d for item %d", failures, n),
		})
	}
}

// lost is what leads to a count that is too low.
func lost(low bool) string {
	if !low {
		return ""
	}
	return "the belief that to look for a count and to write the next one is one thing. Another may have looked in " +
		"between, and both write the same number"
}

func TestKeepsNothing(t *testing.T) {
	exercise.Attempted(t)
	for _, test := range []struct{ story, what, belief string }{
		{"?", "ask how many failures an item has that never failed", "the belief that to ask changes nothing. What is " +
			"made for an answer stays, for each item that anybody ever asks about"},
		{"++-", "forget an item that failed", "the belief that a count of zero is no count. A controller forgets each " +
			"object it has looked after, and none would ever be gone"},
		{"-", "forget an item that never failed", ""},
		{"+-?", "forget an item that failed, and ask", ""},
		{"+,-", "let all of them fail, and then forget them one after another", "the belief that what is cut off the " +
			"end of a slice is gone. Its array still has it, and the garbage collector sees the array"},
	} {
		left := kept(New[*thing](time.Second, time.Minute), test.story)
		exercise.Expect(t, left == 0, exercise.Verdict{
			Expected: test.what + ", with ten items: the garbage collector may have all ten",
			Happened: fmt.Sprintf("it could not have %d of them: the Backoff still has them", left),
			PointsTo: test.belief,
		})
	}
}

func TestBackoffsShareNothing(t *testing.T) {
	exercise.Attempted(t)
	one, other := New[string](time.Second, time.Minute), New[string](time.Hour, 3*time.Hour)
	got := strings.Join([]string{play(one, "a a"), play(other, "a? a a"), play(one, "a? a a-"), play(other, "a? a"),
		play(one, "a?")}, ", ")
	const want = "a=1s a=2s, a?0 a=1h0m0s a=2h0m0s, a?2 a=4s a-, a?2 a=3h0m0s, a?0"
	exercise.Expect(t, got == want, exercise.Verdict{
		Expected: "of two Backoffs one has a base of 1s and another one of 1h. a fails for the one, for the other, and so " +
			"on by turns: " + want,
		Happened: "it was " + got,
	})
}
