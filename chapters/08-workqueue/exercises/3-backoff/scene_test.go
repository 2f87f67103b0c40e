package backoff_test

import (
	"fmt"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
	"weak"

	. "github.com/controllers-from-scratch/controllers-from-scratch/chapters/08-workqueue/exercises/3-backoff"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise"
)

// clues are beliefs, by what single them out.
type clues map[string]string

// play plays a script of words, and returns what came of it. a is a failure of the item a, a- forgets it, and a? asks
// how many failures it has.
//
//	a a b a? a- a    a=1s a=2s b=1s a?2 a- a=1s
func play(b *Backoff[string], script string) string {
	var told []string
	for _, word := range strings.Fields(script) {
		switch item := strings.TrimRight(word, "-?"); word[len(item):] {
		case "-":
			b.Forget(item)
			told = append(told, word)
		case "?":
			told = append(told, fmt.Sprint(word, b.NumRequeues(item)))
		default:
			told = append(told, fmt.Sprint(item, "=", b.When(item)))
		}
	}
	return strings.Join(told, " ")
}

// comes plays a script with a Backoff of its own, and expects what comes of it.
func comes(t *testing.T, base, max time.Duration, script, want string, about clues) {
	t.Helper()
	got := play(New[string](base, max), script)
	exercise.Expect(t, got == want, exercise.Verdict{
		Expected: fmt.Sprintf("base is %v and max %v. Where %s, this comes: %s", base, max, legend(script), want),
		Happened: "it was " + got,
		PointsTo: about[got],
	})
}

// legend explains the signs of a script.
func legend(script string) string {
	signs := []string{"a=1s says that a failed and When returned 1s"}
	if strings.Contains(script, "-") {
		signs = append(signs, "a- that it was forgotten")
	}
	if strings.Contains(script, "?") {
		signs = append(signs, "a?1 that NumRequeues returned 1")
	}
	return strings.Join(signs, ", ")
}

// doubled is the delay after one that was as long as before. Twice an int64 is none, but a uint64.
func doubled(before, max time.Duration) time.Duration {
	return time.Duration(min(2*uint64(before), uint64(max)))
}

// What is longer than hundredDays may be rounded.
const hundredDays = 100 * 24 * time.Hour

// asLong says whether a delay is as long as it should be. Who rounds may have doubled what was rounded already.
func asLong(got, want, twice, max time.Duration) bool {
	if want <= hundredDays {
		return got == want
	}
	return got <= max && ((got-want).Abs() <= time.Second || (got-twice).Abs() <= time.Second)
}

// pairs is how many items twoAtOnce has.
const pairs = 200

// twoAtOnce has two goroutines call When at once for each of so many items, and returns one that doesn't have two
// failures then, and how many it has. If all have two it returns the last.
//
// The one that comes second to an item has less to do, as it is there: so both are at the same item soon.
func twoAtOnce(b *Backoff[int]) (item, failures int) {
	var ready atomic.Int64
	var running sync.WaitGroup
	for range 2 {
		running.Go(func() {
			for ready.Add(1); ready.Load() < 2; {
				runtime.Gosched()
			}
			for item := range pairs {
				b.When(item)
			}
		})
	}
	running.Wait()
	for item = range pairs {
		if failures = b.NumRequeues(item); failures != 2 {
			break
		}
	}
	return item, failures
}

// thing is large enough to be allocated alone, so that the garbage collector finds it alone.
type thing [64]byte

// kept says how many of ten items are still there when their story is over and the garbage collector was at work. + is
// a failure of an item, - forgets it, and ? asks. What comes after a comma begins when all ten are at the comma. The
// story is told in a goroutine of its own, whose stack is gone then.
func kept(b *Backoff[*thing], story string) (left int) {
	told := make(chan []weak.Pointer[thing])
	go func() {
		var items [10]*thing
		var all []weak.Pointer[thing]
		for n := range items {
			items[n] = new(thing)
			all = append(all, weak.Make(items[n]))
		}
		for part := range strings.SplitSeq(story, ",") {
			for _, item := range items {
				tell(b, item, part)
			}
		}
		told <- all
	}()
	all := <-told
	for range 2 {
		runtime.GC()
	}
	for _, item := range all {
		if item.Value() != nil {
			left++
		}
	}
	runtime.KeepAlive(b)
	return left
}

// tell tells a part of one item's story.
func tell(b *Backoff[*thing], item *thing, part string) {
	for _, sign := range part {
		switch sign {
		case '+':
			b.When(item)
		case '-':
			b.Forget(item)
		case '?':
			b.NumRequeues(item)
		}
	}
}
