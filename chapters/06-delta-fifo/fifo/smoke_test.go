package fifo_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"k8s.io/client-go/tools/cache"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/06-delta-fifo/fifo"
)

func name(obj any) (string, error) { return obj.(string)[:1], nil }

func TestSmoke(t *testing.T) {
	d := fifo.NewDeltaFIFO(fifo.DeltaFIFOOptions{KeyFunction: name})
	require.NoError(t, d.Replace([]any{"a1", "b1"}, "1"))
	require.NoError(t, d.Update("a2"))
	require.NoError(t, d.Replace([]any{"b2"}, "1"))
	got, err := d.Pop(func(any, bool) error { return nil })
	require.NoError(t, err)
	require.Equal(t, cache.Deltas{{Type: cache.Sync, Object: "a1"}, {Type: cache.Updated, Object: "a2"},
		{Type: cache.Deleted, Object: cache.DeletedFinalStateUnknown{Key: "a", Obj: "a2"}}}, got)
	r := fifo.NewRealFIFO(fifo.RealFIFOOptions{KeyFunction: name, AtomicEvents: true, UnlockWhileProcessing: true})
	require.NoError(t, r.Replace([]any{"a1", "b1"}, "1"))
	require.NoError(t, r.Update("a2"))
	require.NoError(t, r.Update("b2"))
	require.NoError(t, r.Update("a3"))
	single := func(obj any, first bool) error { t.Log(obj, first, r.HasSynced()); return nil }
	batch := func(obj []cache.Delta, first bool) error { t.Log(obj, first); return nil }
	for range 3 {
		require.NoError(t, r.PopBatch(batch, single))
	}
	r.Close()
	require.ErrorIs(t, r.PopBatch(batch, single), cache.ErrFIFOClosed)
}
