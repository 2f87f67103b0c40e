package claims

import (
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	upstream "k8s.io/client-go/util/workqueue"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/controller/priorityqueue"
	"sigs.k8s.io/controller-runtime/pkg/handler"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit"
)

func prioritized(t *testing.T, f func(t *testing.T, q priorityqueue.PriorityQueue[string])) {
	t.Helper()
	testkit.Bubble(t, func(t *testing.T) {
		q := priorityqueue.New[string]("")
		f(t, q)
		if !q.ShuttingDown() {
			q.ShutDown()
		}
	})
}

func with(priority int) priorityqueue.AddOpts {
	return priorityqueue.AddOpts{Priority: ptr.To(priority)}
}

// The highest priority comes first, and in one priority the order of adding. Of two priorities of a key the higher
// holds: its place is at the end of that one's line. A lower one changes nothing.
//
// covers: C-22
func TestTheHighestPriorityComesFirst(t *testing.T) {
	prioritized(t, func(t *testing.T, q priorityqueue.PriorityQueue[string]) {
		q.AddWithOpts(with(handler.LowPriority), "low1", "low2", "raised")
		addAll(q, "a", "b")
		q.AddWithOpts(with(10), "urgent")
		addAll(q, "raised", "c")
		q.AddWithOpts(with(handler.LowPriority), "a")
		got := handed(q)
		require.NotEqual(t, []string{"low1", "low2", "raised", "a", "b", "urgent", "c"}, got,
			"the order of adding would have been the belief")
		require.Equal(t, []string{"urgent", "a", "b", "raised", "c", "low1", "low2"}, got)

		q.AddWithOpts(with(7), "a")
		_, priority, _ := q.GetWithPriority()
		require.Equal(t, 7, priority)
		q.Done("a")
	})
}

// Nothing grows older: while there is always a key of a higher priority, one of a lower is not handed out.
//
// covers: C-22
func TestALowPriorityMayNeverCome(t *testing.T) {
	prioritized(t, func(t *testing.T, q priorityqueue.PriorityQueue[string]) {
		q.AddWithOpts(with(handler.LowPriority), "of the initial list")
		addAll(q, "a", "b")
		for range 1000 {
			item := take(t, q)
			require.NotEqual(t, "of the initial list", item, "some time would have been the belief")
			q.Done(item)
			q.Add(item) // each is looked at again and again
		}
	})
}

// A key that changes while a worker has it has its place from when it was added, and not from its Done as in
// client-go's queue.
//
// covers: C-22 B-60
func TestWhereAKeyGoesThatChangedInHand(t *testing.T) {
	testkit.Bubble(t, func(t *testing.T) {
		ordinary, q := upstream.NewTyped[string](), priorityqueue.New[string]("")
		defer q.ShutDown()
		order := func(q upstream.TypedInterface[string]) []string {
			q.Add("a")
			require.Equal(t, "a", take(t, q))
			addAll(q, "a", "b")
			synctest.Wait()
			q.Done("a")
			return handed(q)
		}
		require.Equal(t, []string{"b", "a"}, order(ordinary))
		require.NotEqual(t, order(ordinary), order(q))
		require.Equal(t, []string{"a", "b"}, order(q))
	})
}

// What waits is made ready by Add, and of two delays the earlier holds, as in client-go's queue. With a limiter and a
// delay in one call the shorter of the two counts, and so does the failure.
//
// covers: C-22
func TestDelaysOfAPriorityQueue(t *testing.T) {
	prioritized(t, func(t *testing.T, q priorityqueue.PriorityQueue[string]) {
		q.AddAfter("a", time.Hour)
		q.AddAfter("a", time.Minute)
		q.AddAfter("a", 2*time.Hour)
		require.Equal(t, 0, q.Len())
		pass(time.Minute)
		require.Equal(t, []string{"a"}, handed(q))
		q.AddAfter("a", time.Hour)
		q.Add("a")
		require.Equal(t, []string{"a"}, handed(q))

		q.AddWithOpts(priorityqueue.AddOpts{After: time.Hour, RateLimited: true}, "b")
		synctest.Wait()
		require.Equal(t, 1, q.NumRequeues("b"))
		pass(5 * time.Millisecond)
		got := handed(q)
		require.NotEmpty(t, got, "the longer would have been the belief")
		require.Equal(t, []string{"b"}, got)
	})
}

// ShutDown ends at once: what is in the line is dropped, where client-go's queue hands it out. ShutDownWithDrain does
// the same, and waits for nobody. Either of them called twice panics.
//
// covers: C-22 B-116
func TestAPriorityQueueThatIsShutDown(t *testing.T) {
	ends := map[string]func(upstream.TypedInterface[string]){
		"ShutDown":          upstream.TypedInterface[string].ShutDown,
		"ShutDownWithDrain": upstream.TypedInterface[string].ShutDownWithDrain,
	}
	for name, end := range ends {
		prioritized(t, func(t *testing.T, q priorityqueue.PriorityQueue[string]) {
			ordinary := upstream.NewTyped[string]()
			addAll(q, "a", "b")
			addAll(ordinary, "a", "b")
			require.Equal(t, "a", take(t, q))
			end(q) // and a is not done
			ordinary.ShutDown()
			require.Equal(t, "a", take(t, ordinary))
			item, shutdown := q.Get()
			require.NotEqual(t, "b", item, "what is in the line would have been the belief")
			require.True(t, shutdown, name)
			require.PanicsWithError(t, "close of closed channel", func() { end(q) }, name)
			require.NotPanics(t, ordinary.ShutDown)
		})
	}
}

// Workers that add and get all the time end when the queue is shut down. Until July 2026 one might wait for ever, and
// with it the manager.
//
// covers: C-22
func TestTheWorkersOfAPriorityQueueEnd(t *testing.T) {
	for range 20 {
		q := priorityqueue.New[int]("")
		var working sync.WaitGroup
		busy := make(chan struct{}, 20)
		for worker := range cap(busy) {
			working.Go(func() {
				for n := 0; ; n++ {
					q.AddWithOpts(with(n%7), worker*1000+n%5)
					item, shutdown := q.Get()
					if shutdown {
						return
					}
					q.Done(item)
					if n == 10 {
						busy <- struct{}{}
					}
				}
			})
		}
		<-busy
		q.ShutDown()
		working.Wait()
	}
}
