package fifo_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"weak"

	"github.com/stretchr/testify/require"
	"k8s.io/client-go/tools/cache"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/06-delta-fifo/fifo"
)

// What the options of both queues promise, and a suite that gives a queue its key function and its name cannot see.
// Each is shown of ours and of upstream's.

var all = []struct {
	name string
	with func(name string, transform cache.TransformFunc) cache.Queue
}{
	{"DeltaFIFO", func(name string, transform cache.TransformFunc) cache.Queue {
		return ourDelta(cache.DeltaFIFOOptions{Name: name, Transformer: transform})
	}},
	{"DeltaFIFO", func(name string, transform cache.TransformFunc) cache.Queue {
		return cache.NewDeltaFIFOWithOptions(cache.DeltaFIFOOptions{Name: name, Transformer: transform})
	}},
	{"RealFIFO", func(name string, transform cache.TransformFunc) cache.Queue {
		return ourReal(cache.RealFIFOOptions{Name: name, Transformer: transform, AtomicEvents: true})
	}},
	{"RealFIFO", func(name string, transform cache.TransformFunc) cache.Queue {
		o := cache.RealFIFOOptions{Name: name, Transformer: transform, AtomicEvents: true}
		return cache.NewRealFIFOWithOptions(o)
	}},
}

func TestTheNameIsTheKindsOrTheOptions(t *testing.T) {
	for _, m := range all {
		require.Equal(t, m.name, m.with("", nil).HasSyncedChecker().Name())
		require.Equal(t, "pods", m.with("pods", nil).HasSyncedChecker().Name())
	}
}

func TestTheKeyIsNamespaceAndNameUnlessAFunctionSaysOtherwise(t *testing.T) {
	for _, m := range all {
		queue := m.with("", nil)
		require.NoError(t, queue.Add(objects(1)[0]))
		require.ErrorAs(t, queue.Add("no object"), &cache.KeyError{})
	}
}

func TestTheTransformerIsThereForAReflector(t *testing.T) {
	for _, m := range all {
		require.Nil(t, m.with("", nil).(cache.TransformingStore).Transformer())
		transform := m.with("", func(any) (any, error) { return 42, nil }).(cache.TransformingStore).Transformer()
		got, err := transform("a")
		require.NoError(t, err)
		require.Equal(t, 42, got)
	}
}

func TestAClosedQueueSaysSo(t *testing.T) {
	for _, m := range all {
		queue := m.with("", nil).(interface {
			cache.Queue
			IsClosed() bool
		})
		require.False(t, queue.IsClosed())
		queue.Close()
		require.True(t, queue.IsClosed())
	}
}

func TestDeltasHaveTheKeyOfTheirLastObject(t *testing.T) {
	tombstone := cache.DeletedFinalStateUnknown{Key: "b/y"}
	pod := objects(1)[0]
	for _, queue := range []interface{ KeyOf(obj any) (string, error) }{
		ourDelta(cache.DeltaFIFOOptions{}), cache.NewDeltaFIFOWithOptions(cache.DeltaFIFOOptions{}),
	} {
		for _, c := range []struct {
			obj  any
			want string
		}{
			{pod, "default/name-0"},
			{tombstone, "b/y"},
			{cache.Deltas{{Type: cache.Added, Object: pod}}, "default/name-0"},
			{cache.Deltas{{Type: cache.Updated, Object: pod}, {Type: cache.Deleted, Object: tombstone}}, "b/y"},
		} {
			got, err := queue.KeyOf(c.obj)
			require.NoError(t, err)
			require.Equal(t, c.want, got)
		}
		_, err := queue.KeyOf(cache.Deltas{})
		require.ErrorContains(t, err, cache.ErrZeroLengthDeltasObject.Error())
	}
}

func TestOptionsThatExcludeEachOtherPanic(t *testing.T) {
	known := cache.NewStore(cache.MetaNamespaceKeyFunc)
	for says, o := range map[string]cache.RealFIFOOptions{
		"leave them out":                {AtomicEvents: true, KnownObjects: known},
		"needs KnownObjects":            {},
		"UnlockWhileProcessing needs":   {KnownObjects: known, UnlockWhileProcessing: true},
		"EmitDeltaTypeBookmark needs":   {KnownObjects: known, EmitDeltaTypeBookmark: true},
		"a RealFIFO needs KnownObjects": {EmitDeltaTypeBookmark: true, UnlockWhileProcessing: true},
	} {
		require.Panics(t, func() { cache.NewRealFIFOWithOptions(o) })
		func() {
			defer func() { require.Contains(t, fmt.Sprint(recover()), says) }()
			ourReal(o)
		}()
	}
}

func TestABatchHasAThousandDeltasAtMost(t *testing.T) {
	for _, queue := range []cache.QueueWithBatch{ourReal(realOptions), cache.NewRealFIFOWithOptions(realOptions)} {
		for _, obj := range objects(2500) {
			require.NoError(t, queue.Add(obj))
		}
		for _, want := range []int{1000, 1000, 500} {
			got := 0
			require.NoError(t, queue.PopBatch(func(deltas []cache.Delta, _ bool) error {
				got = len(deltas)
				return nil
			}, nothing))
			require.Equal(t, want, got)
		}
	}
}

// An object that was popped must not live on in the array below the queue, behind one that stays.
func TestWhatHasLeftCanBeCollected(t *testing.T) {
	for _, m := range all {
		queue := m.with("", nil)
		var popped []weak.Pointer[string]
		for i := range 100 {
			large := strings.Repeat("x", i+100)
			popped = append(popped, weak.Make(&large))
			require.NoError(t, queue.Add(cache.DeletedFinalStateUnknown{Key: fmt.Sprint(i), Obj: &large}))
		}
		require.NoError(t, queue.Add(objects(1)[0]))
		for range popped {
			_, err := queue.Pop(nothing)
			require.NoError(t, err)
		}
		runtime.GC()
		for _, p := range popped {
			require.Nil(t, p.Value())
		}
		runtime.KeepAlive(queue)
	}
}

// A queue that has held a whole list does not keep room for another.
func TestRoomIsGivenBack(t *testing.T) {
	queue := ourReal(realOptions)
	before := heap()
	list := objects(1)
	for range 100_000 {
		require.NoError(t, queue.Add(list[0]))
	}
	require.Greater(t, heap()-before, uint64(3<<20))
	for range 100_000 {
		_, err := queue.Pop(nothing)
		require.NoError(t, err)
	}
	require.Less(t, int64(heap())-int64(before), int64(1<<20))
	runtime.KeepAlive(queue)
}

func TestPartsAreUsed(t *testing.T) {
	tombstone := cache.DeletedFinalStateUnknown{Key: "z"}
	var gone fifo.Gone = func([]cache.Delta, cache.KeyListerGetter, []any, cache.KeyFunc) (
		[]cache.DeletedFinalStateUnknown, error) {
		return []cache.DeletedFinalStateUnknown{tombstone}, nil
	}
	batch := func(waiting []cache.Delta, _ cache.KeyFunc) int { return min(2, len(waiting)) }
	parts := fifo.Parts{Gone: gone, Batch: batch}
	deleted := cache.Deltas{{Type: cache.Deleted, Object: tombstone}}

	got, err := popOf(fifo.NewDeltaFIFO(fifo.DeltaFIFOOptions{Parts: parts}))
	require.NoError(t, err)
	require.Equal(t, deleted, got)

	real := fifo.NewRealFIFO(fifo.RealFIFOOptions{Parts: parts, KnownObjects: cache.NewStore(nil)})
	got, err = popOf(real)
	require.NoError(t, err)
	require.Equal(t, deleted, got)
	for range 3 {
		require.NoError(t, real.Add(objects(1)[0]))
	}
	sizes := []int{}
	for range 2 {
		require.NoError(t, real.PopBatch(func(deltas []cache.Delta, _ bool) error {
			sizes = append(sizes, len(deltas))
			return nil
		}, func(any, bool) error {
			sizes = append(sizes, 1)
			return nil
		}))
	}
	require.Equal(t, []int{2, 1}, sizes)
}

func popOf(queue cache.Queue) (any, error) {
	if err := queue.Replace(nil, "7"); err != nil {
		return nil, err
	}
	return queue.Pop(nothing)
}
