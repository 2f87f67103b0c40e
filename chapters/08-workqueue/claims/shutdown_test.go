package claims

import (
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	upstream "k8s.io/client-go/util/workqueue"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit"
)

// After ShutDown the workers go on with what is in the line, and with what changed while they had it. Then Get says
// so. What is added is ignored, and what waited for its time is dropped.
//
// covers: S1-21
func TestWhatAShutDownLeaves(t *testing.T) {
	testkit.Bubble(t, func(t *testing.T) {
		q := upstream.NewTypedDelayingQueue[string]()
		addAll(q, "a", "b")
		require.Equal(t, "a", take(t, q))
		q.Add("a")
		q.AddAfter("waits", time.Second)
		synctest.Wait()
		q.ShutDown()
		require.True(t, q.ShuttingDown())
		addAll(q, "too late")
		q.AddAfter("too late", 0)
		require.Equal(t, "b", take(t, q), "an end at once would have been the belief")
		q.Done("b")
		q.Done("a")
		require.Equal(t, "a", take(t, q))
		q.Done("a")
		pass(time.Hour)
		item, shutdown := q.Get()
		require.True(t, shutdown)
		require.Empty(t, item)
	})
}

// ShutDownWithDrain waits until nobody processes anything, and not until all items have been processed, as its comment
// says. With items in the line and no worker that has one it returns at once, and between two items it may.
//
// covers: B-116
func TestADrainLeavesItemsInTheLine(t *testing.T) {
	testkit.Bubble(t, func(t *testing.T) {
		q := upstream.NewTyped[string]()
		addAll(q, "a", "b")
		q.ShutDownWithDrain()
		require.NotEqual(t, 0, q.Len(), "none would have been the belief")
		require.Equal(t, 2, q.Len())

		q = upstream.NewTyped[string]()
		addAll(q, "a", "b")
		require.Equal(t, "a", take(t, q))
		drained := make(chan struct{})
		go func() { q.ShutDownWithDrain(); close(drained) }()
		synctest.Wait()
		require.False(t, closed(drained))
		q.Done("a")
		synctest.Wait()
		require.True(t, closed(drained))
		require.Equal(t, 1, q.Len())
	})
}

func closed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// When two wait in ShutDownWithDrain, the last Done wakes one. The other waits until somebody calls ShutDown.
//
// covers: B-116
func TestOfTwoDrainsOneIsWoken(t *testing.T) {
	testkit.Bubble(t, func(t *testing.T) {
		q := upstream.NewTyped[string]()
		q.Add("a")
		require.Equal(t, "a", take(t, q))
		returned := make(chan struct{}, 2)
		for range 2 {
			go func() { q.ShutDownWithDrain(); returned <- struct{}{} }()
		}
		synctest.Wait()
		q.Done("a")
		pass(time.Hour)
		require.NotEqual(t, 2, len(returned), "both would have been the belief")
		require.Equal(t, 1, len(returned))
		q.ShutDown()
		synctest.Wait()
		require.Equal(t, 2, len(returned))
	})
}

// The goroutine of a delaying queue that is drained goes on until it looks whether the queue is shut down, which it
// does every ten seconds. ShutDown ends it.
//
// covers: B-116
func TestADrainedDelayingQueueLeavesAGoroutine(t *testing.T) {
	testkit.Bubble(t, func(t *testing.T) {
		waitingLoops := func() int {
			synctest.Wait()
			stacks := make([]byte, 1<<20)
			return strings.Count(string(stacks[:runtime.Stack(stacks, true)]), ".waitingLoop(")
		}
		q := upstream.NewTypedDelayingQueue[string]()
		require.Equal(t, 1, waitingLoops())
		q.ShutDownWithDrain()
		require.NotEqual(t, 0, waitingLoops(), "none would have been the belief")
		require.Equal(t, 1, waitingLoops())
		pass(10 * time.Second)
		require.Equal(t, 0, waitingLoops())

		q = upstream.NewTypedDelayingQueue[string]()
		require.Equal(t, 1, waitingLoops())
		q.ShutDownWithDrain()
		q.ShutDown()
		require.Equal(t, 0, waitingLoops())
	})
}
