package claims

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/time/rate"
	upstream "k8s.io/client-go/util/workqueue"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit"
)

// asked is a limiter that notes what it said.
type asked struct {
	upstream.TypedRateLimiter[string]
	delays []time.Duration
}

func (a *asked) When(item string) time.Duration {
	delay := a.TypedRateLimiter.When(item)
	a.delays = append(a.delays, delay)
	return delay
}

func exponential() upstream.TypedRateLimiter[string] {
	return upstream.NewTypedItemExponentialFailureRateLimiter[string](5*time.Millisecond, 1000*time.Second)
}

// Add is not rate limited: an object that is updated a hundred times a second is in the line at once, and the limiter
// is not asked. That there are fewer calls than updates is because a key is in the line once: a worker that takes a
// hundredth of a second sees every update. AddRateLimited asks, and is for what failed.
//
// covers: B-61 S3-05
func TestAddIsNotRateLimited(t *testing.T) {
	testkit.Bubble(t, func(t *testing.T) {
		limiter := &asked{TypedRateLimiter: exponential()}
		q := upstream.NewTypedRateLimitingQueue[string](limiter)
		defer q.ShutDown()
		began, handouts := time.Now(), 0
		for range 100 {
			q.Add("a")
			handouts += len(handed(q))
			pass(10 * time.Millisecond)
		}
		require.NotEqual(t, 1, handouts, "a limit would have been the belief")
		require.Equal(t, 100, handouts)
		for n := range 100 {
			q.Add(fmt.Sprint("other", n))
		}
		require.Equal(t, 100, q.Len())
		require.Equal(t, time.Second, time.Since(began))
		require.Empty(t, limiter.delays)

		for _, delay := range []time.Duration{5, 10, 20} {
			handed(q)
			q.AddRateLimited("a")
			synctest.Wait()
			pass(delay*time.Millisecond - 1)
			require.Equal(t, 0, q.Len())
			pass(1)
			require.Equal(t, 1, q.Len())
		}
		require.Equal(t, []time.Duration{5e6, 10e6, 20e6}, limiter.delays)
	})
}

// Three calls end three things. Done gives the key back to the queue, and the limiter goes on counting. Forget clears
// the count, and the queue knows nothing of it: a key that AddRateLimited has scheduled comes all the same.
// AddRateLimited alone counts.
//
// covers: S1-25 B-117
func TestWhatDoneAndForgetForget(t *testing.T) {
	testkit.Bubble(t, func(t *testing.T) {
		q := upstream.NewTypedRateLimitingQueue(exponential())
		defer q.ShutDown()
		q.Add("a")
		require.Equal(t, 0, q.NumRequeues("a"))
		require.Equal(t, "a", take(t, q))
		q.AddRateLimited("a")
		q.Done("a")
		require.Equal(t, 1, q.NumRequeues("a"))

		synctest.Wait()
		q.Forget("a")
		require.Equal(t, 0, q.NumRequeues("a"))
		pass(5 * time.Millisecond)
		got := handed(q)
		require.NotEmpty(t, got, "nothing would have been the belief")
		require.Equal(t, []string{"a"}, got)

		q.Add("a")
		require.Equal(t, "a", take(t, q))
		q.Forget("a") // and no Done
		q.Add("a")
		require.Empty(t, handed(q), "its worker still has it")
		q.Done("a")
		require.Equal(t, []string{"a"}, handed(q))
	})
}

// Without Forget after a success failures add up, and the limiter keeps the key for ever. Four that lie hours apart
// make the fifth wait 80 ms, and the nineteenth the limit.
//
// covers: S1-25 B-117
func TestWithoutForgetFailuresAddUp(t *testing.T) {
	testkit.Bubble(t, func(t *testing.T) {
		for _, forgets := range []bool{true, false} {
			limiter := &asked{TypedRateLimiter: exponential()}
			q := upstream.NewTypedRateLimitingQueue[string](limiter)
			for range 19 {
				q.AddRateLimited("a") // it fails
				pass(time.Hour)
				require.Equal(t, []string{"a"}, handed(q)) // and then it does not
				if forgets {
					q.Forget("a")
				}
			}
			last := limiter.delays[18]
			if forgets {
				require.Equal(t, 5*time.Millisecond, last)
				require.Equal(t, 0, q.NumRequeues("a"))
			} else {
				require.NotEqual(t, 5*time.Millisecond, last, "that a success is enough would have been the belief")
				require.Equal(t, 80*time.Millisecond, limiter.delays[4])
				require.Equal(t, 1000*time.Second, last)
				require.Equal(t, 19, q.NumRequeues("a"))
			}
			q.ShutDown()
		}
	})
}

// The default limiter has two parts: for each key 5 ms, doubled at each failure up to 1000 s, and for all keys
// together 10 a second after the first hundred. So the hundred and first of a hundred and one different keys that fail
// once waits 100 ms, and the last of five thousand more than eight minutes.
//
// covers: B-61 C-05
func TestTheDefaultLimiterHasABucketForAllKeys(t *testing.T) {
	testkit.Bubble(t, func(t *testing.T) {
		limiter := upstream.DefaultTypedControllerRateLimiter[string]()
		delays := make([]time.Duration, 5000)
		for n := range delays {
			delays[n] = limiter.When(fmt.Sprint("key", n))
		}
		require.Equal(t, 5*time.Millisecond, delays[99])
		require.NotEqual(t, 5*time.Millisecond, delays[100], "as for a first failure would have been the belief")
		require.Equal(t, 100*time.Millisecond, delays[100])
		require.InDelta(t, 490, delays[4999].Seconds(), 0.001)

		limiter = upstream.DefaultTypedControllerRateLimiter[string]()
		for n := range 25 {
			require.Equal(t, min(5*time.Millisecond<<n, 1000*time.Second), limiter.When("a"))
		}
		require.Equal(t, 25, limiter.NumRequeues("a"))
	})
}

// The bucket is taken from also for a key that waits already, and what was taken is not given back, by nobody's
// Forget. A key that is added twice as fast as the bucket allows waits longer each time.
//
// covers: C-05 B-117
func TestABucketIsTakenFromForWhatWaits(t *testing.T) {
	testkit.Bubble(t, func(t *testing.T) {
		limiter := &asked{TypedRateLimiter: &upstream.TypedBucketRateLimiter[string]{Limiter: rate.NewLimiter(1, 1)}}
		q := upstream.NewTypedRateLimitingQueue[string](limiter)
		defer q.ShutDown()
		q.AddRateLimited("first")
		for range 10 {
			q.AddRateLimited("a")
			q.Forget("a")
			pass(500 * time.Millisecond)
		}
		require.Equal(t, 0, q.NumRequeues("a"))
		last := limiter.delays[10]
		require.NotEqual(t, time.Second, last, "the next second would have been the belief")
		require.Equal(t, 5500*time.Millisecond, last)
	})
}

// The other limiters: two delays, the first for so many failures; the longest of several; and a limit for another one.
//
// covers: C-05
func TestTheOtherLimiters(t *testing.T) {
	delays := func(limiter upstream.TypedRateLimiter[string]) (got []time.Duration) {
		for range 4 {
			got = append(got, limiter.When("a"))
		}
		return got
	}
	fastSlow := func() upstream.TypedRateLimiter[string] {
		return upstream.NewTypedItemFastSlowRateLimiter[string](8*time.Millisecond, 30*time.Millisecond, 2)
	}
	require.Equal(t, []time.Duration{8e6, 8e6, 30e6, 30e6}, delays(fastSlow()))
	require.Equal(t, []time.Duration{8e6, 10e6, 30e6, 40e6},
		delays(upstream.NewTypedMaxOfRateLimiter(fastSlow(), exponential())))
	require.Equal(t, []time.Duration{5e6, 10e6, 12e6, 12e6},
		delays(upstream.NewTypedWithMaxWaitRateLimiter(exponential(), 12*time.Millisecond)))
}
