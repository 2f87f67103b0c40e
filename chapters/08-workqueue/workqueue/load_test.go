package workqueue_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	upstream "k8s.io/client-go/util/workqueue"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/08-workqueue/workqueue"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/08-workqueue/workqueue/workqueuetest"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit"
)

// Sixteen workers process a million adds of a thousand keys, and a quarter of them under the race detector. No key is
// with two workers, and no add is lost.
func TestLoad(t *testing.T) {
	adds := 1_000_000
	if testkit.Raced {
		adds /= 4
	}
	limit := testkit.BubbleLimit
	testkit.BubbleLimit = 5 * time.Minute // of real time: other programs may run, too
	defer func() { testkit.BubbleLimit = limit }()
	testkit.Bubble(t, func(t *testing.T) {
		queue := workqueue.NewRateLimiting(workqueue.DefaultLimiter[string](),
			upstream.TypedRateLimitingQueueConfig[string]{})
		runs := workqueuetest.Load(t, queue, adds)
		t.Logf("%d adds were processed in %d runs", adds, runs)
		require.GreaterOrEqual(t, runs, int64(1000), "runs: each key has one at least")
		require.Zero(t, queue.Len())
	})
}
