package fifo_test

import (
	"errors"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"
	"k8s.io/client-go/tools/cache"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit"
)

// Where the queues behave otherwise than upstream's, on purpose. The suite leaves these cases out.

// A bookmark or a resync is being processed without the lock when the first Replace comes. Upstream takes its end for
// the end of what was replaced, and has synced before anybody saw it.
func TestWhatWasPoppedBeforeTheFirstReplaceIsNoPartOfIt(t *testing.T) {
	bookmark := func(q cache.Queue) error { return q.(cache.ReflectorBookmarkStore).Bookmark("7") }
	for _, early := range []func(cache.Queue) error{bookmark, cache.Queue.Resync} {
		for _, c := range []struct {
			queue  cache.Queue
			synced bool
		}{
			{ourReal(realOptions), false},
			{cache.NewRealFIFOWithOptions(realOptions), true},
		} {
			require.NoError(t, early(c.queue))
			_, err := c.queue.Pop(func(any, bool) error { return c.queue.Replace(objects(1), "8") })
			require.NoError(t, err)
			require.Equal(t, c.synced, c.queue.HasSynced())
		}
	}
}

// Two goroutines pop from a queue that unlocks, which upstream's comments forbid. The one that is faster ends the first
// batch, which the other still processes: so says upstream.
func TestOneConsumerDoesNotFinishWhatAnotherProcesses(t *testing.T) {
	for _, c := range []struct {
		fresh  func() cache.Queue
		synced bool
	}{
		{func() cache.Queue { return ourReal(realOptions) }, false},
		{func() cache.Queue { return cache.NewRealFIFOWithOptions(realOptions) }, true},
	} {
		testkit.Bubble(t, func(t *testing.T) {
			queue, gate := c.fresh(), make(chan struct{})
			require.NoError(t, queue.Replace(objects(1), "7"))
			require.NoError(t, queue.Update(objects(1)[0]))
			go queue.Pop(func(any, bool) error { <-gate; return nil })
			synctest.Wait()
			_, err := queue.Pop(nothing)
			require.NoError(t, err)
			require.Equal(t, c.synced, queue.HasSynced())
			close(gate)
			synctest.Wait()
			require.True(t, queue.HasSynced())
		})
	}
}

// Nobody adds tombstones. Who does gets one tombstone from a Replace, and from upstream's RealFIFO one in another.
func TestATombstoneHoldsNoTombstone(t *testing.T) {
	added := cache.DeletedFinalStateUnknown{Key: "a", Obj: "a1"}
	o := cache.RealFIFOOptions{KnownObjects: cache.NewStore(cache.MetaNamespaceKeyFunc)}
	for _, c := range []struct {
		queue cache.Queue
		want  any
	}{
		{ourReal(o), added},
		{cache.NewRealFIFOWithOptions(o), cache.DeletedFinalStateUnknown{Key: "a", Obj: added}},
	} {
		require.NoError(t, c.queue.Add(added))
		require.NoError(t, c.queue.Replace(nil, "7"))
		_, err := c.queue.Pop(nothing)
		require.NoError(t, err)
		got, err := c.queue.Pop(nothing)
		require.NoError(t, err)
		require.Equal(t, cache.Deltas{{Type: cache.Deleted, Object: c.want}}, got)
	}
}

// A transformer's error can be told from others after a Replace, too. Upstream's DeltaFIFO has its text alone.
func TestTheTransformersErrorIsWrapped(t *testing.T) {
	refused := errors.New("refused")
	o := cache.DeltaFIFOOptions{Transformer: func(any) (any, error) { return nil, refused }}
	require.ErrorIs(t, ourDelta(o).Replace(objects(1), "7"), refused)
	err := cache.NewDeltaFIFOWithOptions(o).Replace(objects(1), "7")
	require.NotErrorIs(t, err, refused)
	require.ErrorContains(t, err, "refused")
}

// A known object without a key ends a resync with an error. Upstream's RealFIFO has lost the reason.
func TestAResyncSaysWhichObjectHasNoKey(t *testing.T) {
	known := cache.NewStore(func(any) (string, error) { return "a", nil })
	require.NoError(t, known.Add("no object"))
	o := cache.RealFIFOOptions{KnownObjects: known}
	require.ErrorAs(t, ourReal(o).Resync(), &cache.KeyError{})
	require.ErrorContains(t, cache.NewRealFIFOWithOptions(o).Resync(), "%!w(<nil>)")
}

// A transformer that takes an object's key away breaks the store behind the queue. Upstream's DeltaFIFO does not
// notice; ours looks at the keys of what is queued, as both RealFIFOs do, and says so.
func TestATransformerKeepsTheKey(t *testing.T) {
	o := cache.DeltaFIFOOptions{Transformer: func(any) (any, error) { return "no object", nil }}
	require.ErrorAs(t, ourDelta(o).Replace(objects(1), "7"), &cache.KeyError{})
	require.NoError(t, cache.NewDeltaFIFOWithOptions(o).Replace(objects(1), "7"))
	real := cache.RealFIFOOptions{Transformer: o.Transformer, KnownObjects: cache.NewStore(nil)}
	for _, queue := range []cache.Queue{ourReal(real), cache.NewRealFIFOWithOptions(real)} {
		require.NoError(t, queue.Replace(objects(1), "7"))
		require.ErrorAs(t, queue.Replace(objects(1), "8"), &cache.KeyError{})
	}
}
