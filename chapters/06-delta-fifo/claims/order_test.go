package claims

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"k8s.io/client-go/tools/cache"
)

// popBatches empties a queue as an informer does: what each PopBatch hands out.
func popBatches(t *testing.T, q cache.QueueWithBatch) (all [][]string) {
	t.Helper()
	q.Close()
	take := func(deltas []cache.Delta, _ bool) error {
		var texts []string
		for _, d := range deltas {
			texts = append(texts, told(d))
		}
		all = append(all, texts)
		return nil
	}
	for {
		err := q.PopBatch(take, func(object any, initial bool) error { return take(object.(cache.Deltas), initial) })
		if err != nil {
			require.ErrorIs(t, err, cache.ErrFIFOClosed)
			return all
		}
	}
}

// The same five events: a DeltaFIFO hands out one item for each key, with what has happened to it, so that what
// happened to a last comes before what happened to b. A RealFIFO hands out events, in their order.
//
// covers: S3-40 B-30
func TestADeltaFIFOReorders(t *testing.T) {
	feed := func(q cache.Queue) {
		do(t, q.Add(configMap("a", "1")), q.Add(configMap("b", "2")), q.Update(configMap("a", "3")),
			q.Update(configMap("a", "4")), q.Update(configMap("a", "5")))
	}
	q := deltaFIFO(known())
	feed(q)
	require.Equal(t, [][]string{{"Added a@1", "Updated a@3", "Updated a@4", "Updated a@5"}, {"Added b@2"}}, pops(t, q))

	real := atomic()
	feed(real)
	require.Equal(t, [][]string{{"Added a@1"}, {"Added b@2"}, {"Updated a@3"}, {"Updated a@4"}, {"Updated a@5"}},
		pops(t, real))
}

// An informer pops batches: deltas from the front, until a key comes for the second time, or a delta that is about no
// one object, or a thousand. So no order is lost, and no key is twice in a batch.
//
// covers: C-01 B-30
func TestABatchHasEachKeyOnce(t *testing.T) {
	q := atomic()
	do(t, q.Replace([]any{configMap("a", "1")}, "1"), q.Add(configMap("b", "2")), q.Update(configMap("a", "3")),
		q.Update(configMap("b", "4")), q.Add(configMap("c", "5")), q.Bookmark("6"), q.Bookmark("7"), q.Resync())
	require.Equal(t, [][]string{{"ReplacedAll 1 objects at 1"}, {"Added b@2", "Updated a@3"},
		{"Updated b@4", "Added c@5"}, {"Bookmark 6"}, {"Bookmark 7"}, {"SyncAll"}}, popBatches(t, q))

	q = atomic()
	for i := range 1001 {
		do(t, q.Add(configMap(fmt.Sprint(i), "1")))
	}
	sizes := []int{}
	for _, b := range popBatches(t, q) {
		sizes = append(sizes, len(b))
	}
	require.Equal(t, []int{1000, 1}, sizes)
}

// A list holds objects, and no events. Queued, both are deltas: what comes after a list and what came before it stand
// in one queue.
//
// covers: S4-14
func TestAListBecomesDeltas(t *testing.T) {
	q := deltaFIFO(known())
	do(t, q.Replace([]any{configMap("a", "1"), configMap("b", "2")}, "2"), q.Update(configMap("a", "3")))
	require.Equal(t, [][]string{{"Replaced a@1", "Updated a@3"}, {"Replaced b@2"}}, pops(t, q))
}

// Both queues have synced when the first list is popped. But a DeltaFIFO says so while its last item is still being
// processed, and a RealFIFO when that is done. Where something else came before a list, a queue has synced at once.
//
// covers: S4-04 B-42
func TestWhenAQueueHasSynced(t *testing.T) {
	for name, row := range map[string]struct {
		queue  cache.Queue
		during bool
	}{
		"DeltaFIFO": {deltaFIFO(known()), true},
		"RealFIFO":  {atomic(), false},
	} {
		t.Run(name, func(t *testing.T) {
			q := row.queue
			require.False(t, q.HasSynced(), "nothing came yet")
			do(t, q.Replace([]any{configMap("a", "1")}, "1"))
			require.False(t, q.HasSynced())
			_, err := q.Pop(func(_ any, inInitialList bool) error {
				require.True(t, inInitialList)
				require.Equal(t, row.during, isDone(q.HasSyncedChecker()), "while the last item is being processed")
				return nil
			})
			require.NoError(t, err)
			require.True(t, q.HasSynced())
		})
	}
	q := atomic()
	do(t, q.Add(configMap("a", "1")))
	require.True(t, q.HasSynced())
}

func isDone(c cache.DoneChecker) bool {
	select {
	case <-c.Done():
		return true
	default:
		return false
	}
}
