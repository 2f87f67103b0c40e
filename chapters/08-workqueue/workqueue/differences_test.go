package workqueue_test

import (
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	upstream "k8s.io/client-go/util/workqueue"
	"k8s.io/utils/clock"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/08-workqueue/workqueue"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/08-workqueue/workqueue/workqueuetest"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit"
)

// One difference has no test: a queue of upstream's without a provider of metrics takes that of the whole program
// (SetProvider), and ours has none.

// each runs a test with our queue and with upstream's, in bubbles.
func each(t *testing.T, test func(t *testing.T, l layers, isOurs bool)) {
	for name, l := range map[string]layers{"ours": ours, "upstream": theirs} {
		t.Run(name, func(t *testing.T) {
			testkit.Bubble(t, func(t *testing.T) { test(t, l, name == "ours") })
		})
	}
}

// plays plays a script for ours, and one for upstream's.
func plays(t *testing.T, oursDoes, theirsDoes string) {
	each(t, func(t *testing.T, l layers, isOurs bool) {
		rig := workqueuetest.NewRig(l.build(workqueue.DefaultLimiter[string]()))
		defer rig.End()
		script := theirsDoes
		if isOurs {
			script = oursDoes
		}
		for line := range strings.SplitSeq(script, "\n") {
			operation, want, _ := strings.Cut(line, ":")
			require.Equal(t, strings.TrimSpace(want), rig.Do(operation), line)
		}
	})
}

// To say Done of an item that is in the line puts it there a second time in upstream's queue: two workers get it. It
// does nothing in ours.
func TestDoneOfWhatNoWorkerHas(t *testing.T) {
	plays(t, "add a\ndone a\nlen: 1\nget: a\nget: waits", "add a\ndone a\nlen: 2\nget: a\nget: a")
}

// A worker that says Done twice of an item that was added again does the same.
func TestDoneTwice(t *testing.T) {
	const begin = "add a\nget: a\nadd a\ndone a\ndone a\n"
	plays(t, begin+"len: 1\nget: a\nget: waits", begin+"len: 2\nget: a\nget: a")
}

// Upstream's drain returns at once if no worker has anything, whatever is in the line. Ours waits until that is done.
func TestDrainWithALine(t *testing.T) {
	plays(t, "add a\ndrain: waits\nget: a\ndone a: drained", "add a\ndrain: drained\nget: a\ndone a")
}

// It also returns before what was added again, while a worker had it, is handed out.
func TestDrainWithWhatWasAddedAgain(t *testing.T) {
	const begin = "add a\nget: a\nadd a\ndrain: waits\n"
	plays(t, begin+"done a\nget: a\ndone a: drained", begin+"done a: drained\nget: a\ndone a")
}

// Of two who drain upstream's queue at once the last Done wakes one. In ours it wakes both.
func TestTwoDrains(t *testing.T) {
	const begin = "add a\nget: a\ndrain: waits\ndrain: waits\n"
	plays(t, begin+"done a: drained, drained", begin+"done a: drained\n1h\nshutdown: drained")
}

// The goroutine of upstream's delaying queue ends up to ten seconds after a drain. None of ours is left when that
// returns.
func TestADrainLeavesNoGoroutine(t *testing.T) {
	each(t, func(t *testing.T, l layers, isOurs bool) {
		require.Zero(t, goroutines())
		queue := l.build(workqueue.DefaultLimiter[string]())
		queue.AddAfter("a", time.Hour)
		synctest.Wait()
		if !isOurs {
			require.NotZero(t, goroutines(), "they are counted")
		}
		queue.ShutDownWithDrain()
		synctest.Wait()
		require.Equal(t, isOurs, goroutines() == 0)
		time.Sleep(10 * time.Second)
		synctest.Wait()
		require.Zero(t, goroutines())
	})
}

// goroutines is how many live that a queue has started. runtime.NumGoroutine would not do: it counts one for a moment
// after it has ended.
func goroutines() int {
	stacks := make([]byte, 1<<20)
	text := string(stacks[:runtime.Stack(stacks, true)])
	return strings.Count(text, "created by k8s.io/client-go/util/workqueue.") +
		strings.Count(text, "created by github.com/controllers-from-scratch/controllers-from-scratch/chapters/08-workqueue/workqueue.")
}

// Items with the same time come in the order of AddAfter. From upstream's heap they come in another one.
func TestItemsWithTheSameTime(t *testing.T) {
	each(t, func(t *testing.T, l layers, isOurs bool) {
		queue := l.build(workqueue.DefaultLimiter[string]())
		defer queue.ShutDown()
		var in, out []string
		for i := range 20 {
			in = append(in, fmt.Sprint(i))
			queue.AddAfter(in[i], time.Second)
		}
		time.Sleep(time.Second)
		synctest.Wait()
		for range in {
			item, _ := queue.Get()
			out = append(out, item)
		}
		require.Equal(t, isOurs, slices.Equal(in, out), out)
	})
}

// stuck is a queue whose Add waits.
type stuck struct {
	upstream.TypedInterface[string]
	free chan struct{}
}

func (s stuck) Add(item string) {
	<-s.free
	s.TypedInterface.Add(item)
}

// While upstream's goroutine adds to a slow queue, AddAfter waits for it when a thousand have come. Ours never waits.
func TestAddAfterDoesNotWait(t *testing.T) {
	each(t, func(t *testing.T, l layers, isOurs bool) {
		slow := stuck{l.queue(upstream.TypedQueueConfig[string]{}), make(chan struct{})}
		queue := l.delaying(upstream.TypedDelayingQueueConfig[string]{Queue: slow})
		queue.AddAfter("first", time.Millisecond)
		time.Sleep(time.Millisecond)
		synctest.Wait()
		var added atomic.Int64
		go func() {
			for i := range 2000 {
				queue.AddAfter(fmt.Sprint(i), time.Hour)
				added.Add(1)
			}
		}()
		synctest.Wait()
		require.Equal(t, map[bool]int64{true: 2000, false: 1000}[isOurs], added.Load())
		close(slow.free)
		synctest.Wait()
		require.EqualValues(t, 2000, added.Load())
		queue.ShutDown()
	})
}

// ShutDown of ours waits for an Add to the queue beneath that has begun. Upstream's returns, and its goroutine is left.
func TestShutDownWaitsForAnAdd(t *testing.T) {
	each(t, func(t *testing.T, l layers, isOurs bool) {
		slow := stuck{l.queue(upstream.TypedQueueConfig[string]{}), make(chan struct{})}
		queue := l.delaying(upstream.TypedDelayingQueueConfig[string]{Queue: slow})
		queue.AddAfter("first", time.Millisecond)
		time.Sleep(time.Millisecond)
		synctest.Wait()
		var returned atomic.Bool
		go func() { queue.ShutDown(); returned.Store(true) }()
		synctest.Wait()
		require.Equal(t, !isOurs, returned.Load())
		close(slow.free)
		synctest.Wait()
		require.True(t, returned.Load())
		require.Zero(t, goroutines())
	})
}

// ticking counts the tickers that are made of it.
type ticking struct {
	clock.RealClock
	tickers atomic.Int64
}

func (c *ticking) NewTicker(d time.Duration) clock.Ticker {
	c.tickers.Add(1)
	return c.RealClock.NewTicker(d)
}

// Upstream's delaying queue looks every ten seconds, whether anything waits or not. Ours has no heartbeat.
func TestNoHeartbeat(t *testing.T) {
	each(t, func(t *testing.T, l layers, isOurs bool) {
		var counted ticking
		queue := l.delaying(upstream.TypedDelayingQueueConfig[string]{Clock: &counted})
		queue.ShutDown()
		require.Equal(t, map[bool]int64{true: 0, false: 1}[isOurs], counted.tickers.Load())
	})
}

// A queue that holds one item at a time needs no new memory for each in ours. Upstream's cuts the front off a slice.
func TestALineKeepsItsRoom(t *testing.T) {
	each(t, func(t *testing.T, l layers, isOurs bool) {
		queue := l.queue(upstream.TypedQueueConfig[string]{})
		defer queue.ShutDown()
		allocations := testing.AllocsPerRun(100, func() {
			queue.Add("a")
			item, _ := queue.Get()
			queue.Done(item)
		})
		require.Equal(t, isOurs, allocations < 1, allocations)
	})
}

// Where base is a power of two in nanoseconds, one of upstream's delays is 2^63 ns, which is as float64 the highest
// duration, and as a duration undefined: on amd64 it is below zero, so that an item that has failed for long comes back
// at once. Ours says the longest delay.
func TestAPowerOfTwoIsTheBase(t *testing.T) {
	const base, longest = time.Duration(1 << 22), 1000 * time.Second // about 4 ms
	our := workqueue.NewExponential[string](base, longest)
	their := upstream.NewTypedItemExponentialFailureRateLimiter[string](base, longest)
	for failures := range 5000 {
		got, want := our.When("a"), their.When("a")
		if failures != 63-22 {
			require.Equal(t, want, got, "after %d failures", failures)
			continue
		}
		require.Equal(t, longest, got)
		if runtime.GOARCH == "amd64" {
			require.Equal(t, time.Duration(math.MinInt64), want)
		}
	}
}

// Where base is 0, upstream's delay is 0 times infinity after 1024 failures, and that is no number. Ours is 0 for ever.
func TestTheBaseIsZero(t *testing.T) {
	our := workqueue.NewExponential[string](0, time.Second)
	their := upstream.NewTypedItemExponentialFailureRateLimiter[string](0, time.Second)
	for failures := range 5000 {
		got, want := our.When("a"), their.When("a")
		require.Zero(t, got)
		switch {
		case failures < 1024:
			require.Zero(t, want, "after %d failures", failures)
		case runtime.GOARCH == "amd64":
			require.Negative(t, want, "after %d failures", failures)
		}
	}
}
