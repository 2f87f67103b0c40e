package claims

import (
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-logr/logr"
	"github.com/stretchr/testify/require"
	"k8s.io/apimachinery/pkg/types"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	upstream "k8s.io/client-go/util/workqueue"
	"k8s.io/klog/v2"
	ctrllog "sigs.k8s.io/controller-runtime/pkg/log"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit"
)

// HandleError sleeps between errors, since the last one by the real clock: in a bubble for 27 years.
func init() {
	utilruntime.ErrorHandlers = utilruntime.ErrorHandlers[:1]
	klog.SetLogger(logr.Discard())
	ctrllog.SetLogger(logr.Discard())
}

// handed is what one worker gets until nothing is in the line, in that order. It finishes each at once.
func handed[T comparable](q upstream.TypedInterface[T]) []T {
	var items []T
	for q.Len() > 0 {
		item, shutdown := q.Get()
		if shutdown {
			break
		}
		items = append(items, item)
		q.Done(item)
	}
	return items
}

// addAll adds the items, one after the other.
func addAll[T comparable](q upstream.TypedInterface[T], items ...T) {
	for _, item := range items {
		q.Add(item)
	}
}

// take gets an item and does not finish it.
func take[T comparable](t *testing.T, q upstream.TypedInterface[T]) T {
	t.Helper()
	item, shutdown := q.Get()
	require.False(t, shutdown)
	return item
}

// pass lets time pass, and what is due then happen.
func pass(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

// A hundred quick changes of an object are one key, handed out once: a queue has keys and no events. Whatever can be
// compared is a key, also the name of a thing outside of Kubernetes.
//
// covers: S0-27 S2-01 S3-05
func TestQuickChangesAreOneKey(t *testing.T) {
	q := upstream.NewTyped[string]()
	for range 100 {
		q.Add("default/a")
	}
	got := handed(q)
	require.NotEqual(t, 100, len(got), "a call for each change would have been the belief")
	require.Equal(t, []string{"default/a"}, got)

	type bucket struct{ region, name string }
	elsewhere := upstream.NewTyped[bucket]()
	addAll(elsewhere, bucket{"north", "images"}, bucket{"north", "images"}, bucket{"south", "images"})
	require.Equal(t, []bucket{{"north", "images"}, {"south", "images"}}, handed(elsewhere))
}

// Items are compared as Go compares them. Two pointers to the same key are two items: nothing is merged, and the
// queue grows with each event. (An operator of Grafana's ran out of memory by that.)
//
// covers: S0-27 S3-05
func TestPointersAreNotMerged(t *testing.T) {
	type item struct{ key string }
	byPointer, byValue := upstream.NewTyped[*item](), upstream.NewTyped[item]()
	for range 100 {
		byPointer.Add(&item{"default/a"})
		byValue.Add(item{"default/a"})
	}
	require.NotEqual(t, 1, byPointer.Len(), "one would have been the belief")
	require.Equal(t, 100, byPointer.Len())
	require.Equal(t, 1, byValue.Len())
}

// A key is with one worker at a time. Added meanwhile, it waits outside the line, where neither Len nor another
// worker sees it, and comes into it by Done: once, however often it was added.
//
// covers: S1-21 S2-01
func TestAKeyIsWithOneWorker(t *testing.T) {
	testkit.Bubble(t, func(t *testing.T) {
		q := upstream.NewTyped[string]()
		defer q.ShutDown()
		q.Add("a")
		require.Equal(t, "a", take(t, q))
		addAll(q, "a", "a", "a")
		second := make(chan string, 1)
		go func() { item, _ := q.Get(); second <- item }()
		synctest.Wait()
		require.Empty(t, second, "a second worker with the same key would have been the belief")
		require.Equal(t, 0, q.Len())
		q.Done("a")
		synctest.Wait()
		require.Equal(t, "a", <-second)
		q.Done("a")
		require.Equal(t, 0, q.Len())
	})
}

// Many add, and many take: no key is with two workers at any moment, and none is lost. Whoever takes a key sees all
// that happened before it was added, so that the last state of each key is processed, though most states are not.
//
// covers: S1-21 S2-01 S3-05
func TestManyProducersAndConsumers(t *testing.T) {
	const producers, workers, keys, rounds = 4, 4, 10, 500
	q := upstream.NewTyped[int]()
	var state, processed [keys]atomic.Int64
	var inHand [keys]atomic.Int32
	var overlaps, handouts atomic.Int64
	var producing, working sync.WaitGroup
	for p := range producers {
		producing.Go(func() {
			for n := range rounds {
				key := (n*7 + p) % keys
				state[key].Add(1)
				q.Add(key)
			}
		})
	}
	for range workers {
		working.Go(func() {
			for key, shutdown := q.Get(); !shutdown; key, shutdown = q.Get() {
				if inHand[key].Add(1) != 1 {
					overlaps.Add(1)
				}
				seen := state[key].Load()
				runtime.Gosched()
				processed[key].Store(seen)
				handouts.Add(1)
				inHand[key].Add(-1)
				q.Done(key)
			}
		})
	}
	producing.Wait()
	q.ShutDown()
	working.Wait()
	require.Zero(t, overlaps.Load())
	require.LessOrEqual(t, handouts.Load(), int64(producers*rounds))
	for key := range keys {
		require.Equal(t, state[key].Load(), processed[key].Load(), fmt.Sprintf("key %d", key))
	}
}

// Without Done a key stays with the worker that has it: it is never handed out again, though it is added.
//
// covers: S1-25
func TestWithoutDoneAKeyIsLost(t *testing.T) {
	q := upstream.NewTyped[string]()
	addAll(q, "a", "b")
	require.Equal(t, "a", take(t, q)) // and no Done
	require.Equal(t, "b", take(t, q))
	q.Done("b")
	addAll(q, "a", "b", "a")
	got := handed(q)
	require.NotEqual(t, []string{"a", "b"}, got, "the next try would have been the belief")
	require.Equal(t, []string{"b"}, got)
}

// Done belongs to a Get. Of a key that nobody has it puts that key into the line once more, and two workers get it at
// the same moment.
//
// covers: S1-25 B-115
func TestDoneWithoutGet(t *testing.T) {
	q := upstream.NewTyped[string]()
	q.Add("a")
	q.Done("a")
	require.NotEqual(t, 1, q.Len(), "as a key is in a queue once")
	require.Equal(t, 2, q.Len())
	require.Equal(t, "a", take(t, q))
	require.Equal(t, "a", take(t, q), "the first one has it still")

	q = upstream.NewTyped[string]() // the same by one Done too many
	q.Add("a")
	require.Equal(t, "a", take(t, q))
	q.Add("a")
	q.Done("a")
	q.Done("a")
	require.Equal(t, []string{"a", "a"}, handed(q))
}

// The types of the queue are for any key, so that a string and a struct which say the same are two.
//
// covers: B-62
func TestAKeyOfAnyTypeIsNotThatKey(t *testing.T) {
	q := upstream.NewTyped[any]() // what New makes, under its old name
	addAll[any](q, "default/a", types.NamespacedName{Namespace: "default", Name: "a"}, "default/a")
	require.Equal(t, 2, q.Len())
	require.Equal(t, "default/a", take(t, q))
	key, isString := take(t, q).(string)
	require.False(t, isString, "as key.(string) believes, and panics")
	require.Empty(t, key)
}
