package priorityqueue_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/08-workqueue/workqueue/priorityqueue"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/08-workqueue/workqueue/workqueuetest"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit"
)

// Sixteen workers process two hundred thousand adds of a thousand keys, and a tenth of them under the race detector. No
// key is with two workers, and no add is lost.
func TestLoad(t *testing.T) {
	adds := 200_000
	if testkit.Raced {
		adds /= 10
	}
	limit := testkit.BubbleLimit
	testkit.BubbleLimit = 5 * time.Minute // of real time: other programs may run, too
	defer func() { testkit.BubbleLimit = limit }()
	testkit.Bubble(t, func(t *testing.T) {
		queue := priorityqueue.New(priorityqueue.Options[string]{})
		runs := workqueuetest.Load(t, queue, adds)
		require.GreaterOrEqual(t, runs, int64(1000), "runs: each key has one at least")
		require.Zero(t, queue.Len())
	})
}
