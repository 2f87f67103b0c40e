package claims

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	upstream "k8s.io/client-go/util/workqueue"
	"sigs.k8s.io/controller-runtime/pkg/controller/priorityqueue"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit"
)

// A key that waits can be in the line too: what comes by Add, or by AddAfter with no delay, does not take it from where
// it waits, and it is handed out twice. In controller-runtime's priority queue a key has one entry, which becomes
// ready.
//
// covers: B-115 S1-21
func TestAKeyThatWaitsAndIsAddedIsHandedOutTwice(t *testing.T) {
	testkit.Bubble(t, func(t *testing.T) {
		now := map[string]func(upstream.TypedDelayingInterface[string]){
			"Add":      func(q upstream.TypedDelayingInterface[string]) { q.Add("a") },
			"AddAfter": func(q upstream.TypedDelayingInterface[string]) { q.AddAfter("a", 0) },
		}
		for name, add := range now {
			q := upstream.NewTypedDelayingQueue[string]()
			q.AddAfter("a", time.Hour)
			synctest.Wait()
			add(q)
			require.Equal(t, []string{"a"}, handed(q), name)
			pass(time.Hour)
			got := handed(q)
			require.NotEmpty(t, got, "once would have been the belief")
			require.Equal(t, []string{"a"}, got, name)
			q.ShutDown()

			prioritized := priorityqueue.New[string]("")
			prioritized.AddAfter("a", time.Hour)
			synctest.Wait()
			add(prioritized)
			require.Equal(t, []string{"a"}, handed(prioritized), name)
			pass(time.Hour)
			require.Empty(t, handed(prioritized), name)
			prioritized.ShutDown()
		}
	})
}

// Of two delays for one key the earlier moment holds, whichever was asked for first. There is one entry, so a later
// AddAfter puts off nothing, and cannot be used to wait until things are quiet.
//
// covers: S1-21
func TestOfTwoDelaysTheEarlierHolds(t *testing.T) {
	testkit.Bubble(t, func(t *testing.T) {
		q := upstream.NewTypedDelayingQueue[string]()
		defer q.ShutDown()
		for _, delays := range [][]time.Duration{{time.Second, time.Minute}, {time.Minute, time.Second}} {
			for _, delay := range delays {
				q.AddAfter("a", delay)
				synctest.Wait()
			}
			pass(time.Second)
			got := handed(q)
			require.NotEmpty(t, got, "that the last call holds would have been the belief")
			require.Equal(t, []string{"a"}, got)
			pass(time.Hour)
			require.Empty(t, handed(q))
		}
	})
}

// What waits is not in the line: Len does not count it.
//
// covers: S1-21
func TestWhatWaitsIsNotCounted(t *testing.T) {
	testkit.Bubble(t, func(t *testing.T) {
		q := upstream.NewTypedDelayingQueue[string]()
		defer q.ShutDown()
		q.AddAfter("a", time.Second)
		synctest.Wait()
		require.NotEqual(t, 1, q.Len(), "one would have been the belief")
		require.Equal(t, 0, q.Len())
		pass(time.Second)
		require.Equal(t, 1, q.Len())
	})
}
