package listwatch_test

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"k8s.io/apimachinery/pkg/util/wait"
	clocktesting "k8s.io/utils/clock/testing"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/02-list-then-watch/listwatch"
)

// TestUpstreamsBackoffStartsAgainWhileEverythingFails: the reset of wait.Backoff counts from its last start, not from
// the last failure. With a failure every 30 s it never reaches a long delay for long; ours does, and stays there.
func TestUpstreamsBackoffStartsAgainWhileEverythingFails(t *testing.T) {
	clock := clocktesting.NewFakeClock(time.Unix(1_000_000, 0))
	backoff := wait.Backoff{Duration: 800 * time.Millisecond, Cap: 30 * time.Second, Steps: 10, Factor: 2}
	upstream := backoff.DelayWithReset(clock, 2*time.Minute)
	ours := listwatch.Backoff{Base: 800 * time.Millisecond, Cap: 30 * time.Second, Reset: 2 * time.Minute,
		Rand: func() float64 { return 0 }}
	starts := func(delay func() time.Duration) (n int) {
		for range 40 { // 20 minutes
			if delay() == backoff.Duration {
				n++
			}
			clock.Step(30 * time.Second)
		}
		return n
	}
	require.Equal(t, 1, starts(func() time.Duration { return ours.Next(clock.Now()) }))
	require.Equal(t, 8, starts(upstream), "every two and a half minutes")
}

// TestBackoffAtItsLimits: a delay is at most twice Cap, and never negative, whatever the numbers are.
func TestBackoffAtItsLimits(t *testing.T) {
	b := listwatch.Backoff{Base: time.Minute, Cap: time.Second, Reset: time.Hour, Rand: func() float64 { return 0.99 }}
	require.LessOrEqual(t, b.Next(time.Now()), 2*b.Cap, "Base is over Cap")
	b = listwatch.Backoff{Base: time.Second, Cap: math.MaxInt64, Reset: time.Hour, Rand: func() float64 { return 0.99 }}
	last := time.Duration(0)
	for range 100 {
		d := b.Next(time.Now())
		require.GreaterOrEqual(t, d, last)
		last = d
	}
}
