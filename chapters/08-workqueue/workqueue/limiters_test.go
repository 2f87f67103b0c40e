package workqueue_test

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/time/rate"
	upstream "k8s.io/client-go/util/workqueue"
	"pgregory.net/rapid"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/08-workqueue/workqueue"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit"
)

type limiter = upstream.TypedRateLimiter[string]

// constructors are those of ours, or of upstream's.
type constructors struct {
	exponential func(base, longest time.Duration) limiter
	fastSlow    func(fast, slow time.Duration, attempts int) limiter
	bucket      func(*rate.Limiter) limiter
	maxOf       func(...limiter) limiter
	maxWait     func(limiter, time.Duration) limiter
	byDefault   func() limiter
}

var ourLimiters = constructors{
	func(base, longest time.Duration) limiter { return workqueue.NewExponential[string](base, longest) },
	func(fast, slow time.Duration, n int) limiter { return workqueue.NewFastSlow[string](fast, slow, n) },
	func(tokens *rate.Limiter) limiter { return workqueue.NewBucket[string](tokens) },
	func(all ...limiter) limiter { return workqueue.NewMaxOf(all...) },
	func(l limiter, longest time.Duration) limiter { return workqueue.NewMaxWait(l, longest) },
	workqueue.DefaultLimiter[string],
}

var theirLimiters = constructors{
	upstream.NewTypedItemExponentialFailureRateLimiter[string],
	upstream.NewTypedItemFastSlowRateLimiter[string],
	func(tokens *rate.Limiter) limiter { return &upstream.TypedBucketRateLimiter[string]{Limiter: tokens} },
	upstream.NewTypedMaxOfRateLimiter[string],
	upstream.NewTypedWithMaxWaitRateLimiter[string],
	upstream.DefaultTypedControllerRateLimiter[string],
}

// zoo has limiters of every kind, made with these constructors. Two bases are in differences_test.go.
var zoo = map[string]func(c constructors) limiter{
	"the default":              func(c constructors) limiter { return c.byDefault() },
	"5 ms to 1000 s":           func(c constructors) limiter { return c.exponential(5*time.Millisecond, 1e12) },
	"3 ns to 292 years":        func(c constructors) limiter { return c.exponential(3, math.MaxInt64) },
	"a year to 292 years":      func(c constructors) limiter { return c.exponential(365*24*time.Hour, math.MaxInt64) },
	"the longest is the base":  func(c constructors) limiter { return c.exponential(time.Second, time.Second) },
	"the longest is shorter":   func(c constructors) limiter { return c.exponential(time.Second, time.Millisecond) },
	"the longest is nothing":   func(c constructors) limiter { return c.exponential(time.Second, 0) },
	"the longest is negative":  func(c constructors) limiter { return c.exponential(time.Second, -1) },
	"fast and slow":            func(c constructors) limiter { return c.fastSlow(time.Millisecond, time.Second, 3) },
	"always slow":              func(c constructors) limiter { return c.fastSlow(time.Millisecond, time.Second, 0) },
	"attempts below zero":      func(c constructors) limiter { return c.fastSlow(time.Millisecond, time.Second, -1) },
	"a bucket":                 func(c constructors) limiter { return c.bucket(rate.NewLimiter(10, 100)) },
	"a bucket without bottom":  func(c constructors) limiter { return c.bucket(rate.NewLimiter(rate.Inf, 0)) },
	"a bucket without room":    func(c constructors) limiter { return c.bucket(rate.NewLimiter(10, 0)) },
	"a bucket that stays dry":  func(c constructors) limiter { return c.bucket(rate.NewLimiter(0, 3)) },
	"of none":                  func(c constructors) limiter { return c.maxOf() },
	"of three":                 maxOfThree,
	"at most 7 s":              func(c constructors) limiter { return c.maxWait(maxOfThree(c), 7*time.Second) },
	"at most less than 0":      func(c constructors) limiter { return c.maxWait(maxOfThree(c), -time.Second) },
	"at most 1 s of a default": func(c constructors) limiter { return c.maxWait(c.byDefault(), time.Second) },
}

func maxOfThree(c constructors) limiter {
	return c.maxOf(c.exponential(3*time.Millisecond, time.Minute), c.fastSlow(time.Second, 2*time.Second, 4),
		c.bucket(rate.NewLimiter(1, 2)))
}

// Each limiter of ours says what upstream's of the same kind says, however often an item fails and is forgotten, and
// however much time passes.
func TestLimiters(t *testing.T) {
	operations := []string{"a", "a", "a", "b", "forget a", "forget b", "later"}
	for name, create := range zoo {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(rt *rapid.T) {
				plan := rapid.SliceOfN(rapid.SampledFrom(operations), 20, 200).Draw(rt, "plan")
				differs := -1
				testkit.Bubble(t, func(*testing.T) {
					differs = compareLimiters(create(ourLimiters), create(theirLimiters), plan)
				})
				if differs >= 0 {
					rt.Fatalf("they differ after %v", plan[:differs+1])
				}
			})
		})
	}
}

// compareLimiters returns the first operation after which they differ, or -1.
func compareLimiters(our, their limiter, plan []string) (differs int) {
	for i, operation := range plan {
		switch operation {
		case "later":
			time.Sleep(300 * time.Millisecond)
		case "forget a", "forget b":
			our.Forget(operation[len(operation)-1:])
			their.Forget(operation[len(operation)-1:])
		default:
			if our.When(operation) != their.When(operation) {
				return i
			}
		}
		for _, item := range []string{"a", "b"} {
			if our.NumRequeues(item) != their.NumRequeues(item) {
				return i
			}
		}
	}
	return -1
}

// It is the same after five thousand failures, when no power of two has room in a duration, or in a float64.
func TestFiveThousandFailures(t *testing.T) {
	for name, create := range zoo {
		t.Run(name, func(t *testing.T) {
			testkit.Bubble(t, func(t *testing.T) {
				our, their := create(ourLimiters), create(theirLimiters)
				for failures := range 5000 {
					got, want := our.When("a"), their.When("a")
					if got != want {
						require.Equal(t, want, got, "after %d failures", failures)
					}
				}
				require.Equal(t, their.NumRequeues("a"), our.NumRequeues("a"))
				our.Forget("a")
				require.Zero(t, our.NumRequeues("a"))
			})
		})
	}
}
