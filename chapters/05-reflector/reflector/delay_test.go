package reflector_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"k8s.io/apimachinery/pkg/util/wait"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/05-reflector/reflector/reflectortest"
)

// steady is a backoff without chance.
func steady() *wait.Backoff {
	return &wait.Backoff{Duration: time.Second, Factor: 2, Cap: 10 * time.Second, Steps: 10}
}

func TestDelaysGrowUpToALimitByUpstreamsNumbers(t *testing.T) {
	bubble(t, func(t *testing.T, r *run) {
		r.options.ListOnly = true
		for range 10 {
			r.Fail(errDown)
		}
		r.begin(t)
		later(time.Hour)
		delays := r.delays()
		require.Len(t, delays, 10)
		want := 800 * time.Millisecond
		for i, delay := range delays {
			require.GreaterOrEqual(t, delay, want, i)
			require.LessOrEqual(t, delay, 2*want, i)
			want = min(2*want, 30*time.Second)
		}
		for i, request := range r.Requests()[1:10] {
			require.Equal(t, delays[i], request.At.Sub(r.Requests()[i].At))
		}
	})
}

// Upstream's backoff starts anew 2 minutes after its last start, also while everything fails.
func TestDelaysStartAnewAfterTwoMinutesWithoutAFailure(t *testing.T) {
	bubble(t, func(t *testing.T, r *run) {
		r.options.Backoff = steady()
		r.options.ListOnly = true
		for range 20 {
			r.Fail(errDown)
		}
		r.begin(t)
		later(3 * time.Minute)
		delays := r.delays()
		require.Equal(t, []time.Duration{time.Second, 2 * time.Second, 4 * time.Second, 8 * time.Second}, delays[:4])
		for _, delay := range delays[4:] {
			require.Equal(t, 10*time.Second, delay, "it fails for more than two minutes")
		}
		require.Len(t, delays, 20)

		r.Break(internalError())
		later(time.Minute)
		r.Break(internalError())
		later(2*time.Minute + 2*time.Second)
		require.Equal(t, []time.Duration{10 * time.Second, 10 * time.Second}, r.delays()[20:], "too soon")
		later(time.Minute)
		r.Break(internalError())
		later(time.Minute)
		require.Equal(t, time.Second, r.delays()[22])
	})
}

func TestARetryAfterIsTheLeastDelay(t *testing.T) {
	for _, c := range []struct {
		seconds int
		want    time.Duration
	}{{90, 90 * time.Second}, {0, time.Second}, {1, time.Second}, {3600, 5 * time.Minute}} {
		bubble(t, func(t *testing.T, r *run) {
			r.options.Backoff = steady()
			r.Fail(reflectortest.Busy(c.seconds))
			r.begin(t)
			later(time.Hour)
			require.Equal(t, []time.Duration{c.want}, r.delays())
			sent := r.Requests()
			require.Equal(t, c.want, sent[1].At.Sub(sent[0].At))
		})
	}
}

func TestARetryAfterCountsInEachKindOfRequest(t *testing.T) {
	bubble(t, func(t *testing.T, r *run) {
		r.options.ListOnly = true
		r.options.Backoff = steady()
		r.Fail(reflectortest.Busy(100), nil, reflectortest.Busy(110))
		r.begin(t)
		later(4 * time.Minute)
		r.Break(reflectortest.Busy(120))
		later(4 * time.Minute)
		require.Equal(t, []time.Duration{100 * time.Second, 110 * time.Second, 120 * time.Second}, r.delays())
		require.Equal(t, []string{"list 0", "list 0", "watch 3", "watch 3", "watch 3"}, r.Sent())
	})
}
