package claims

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/apimachinery/pkg/util/wait"
	upstream "k8s.io/client-go/util/workqueue"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit"
)

// work is how a worker is written: it goes on until the queue is shut down.
func work(q upstream.TypedInterface[string], process func(key string)) {
	for {
		key, shutdown := q.Get()
		if shutdown {
			return
		}
		func() {
			defer q.Done(key)
			process(key)
		}()
	}
}

// wait.Until calls a worker that has returned again, a second after its return: no sooner and without a jitter. Keys do
// not wait for that second, since a worker returns when the queue is shut down and not before.
//
// covers: S1-23
func TestUntilCallsAWorkerAgain(t *testing.T) {
	testkit.Bubble(t, func(t *testing.T) {
		stop, began := make(chan struct{}), time.Now()
		var calls []time.Duration
		go wait.Until(func() {
			calls = append(calls, time.Since(began))
			time.Sleep(200 * time.Millisecond)
		}, time.Second, stop)
		pass(3 * time.Second)
		close(stop)
		synctest.Wait()
		require.NotEqual(t, []time.Duration{0, time.Second, 2 * time.Second}, calls, "each second, by its comment")
		require.Equal(t, []time.Duration{0, 1200 * time.Millisecond, 2400 * time.Millisecond}, calls)

		ctx, cancel := context.WithCancel(t.Context())
		q := upstream.NewTyped[string]()
		var processed []time.Duration
		began = time.Now()
		starts := 0
		go wait.UntilWithContext(ctx, func(context.Context) {
			starts++
			work(q, func(string) { processed = append(processed, time.Since(began)) })
		}, time.Second)
		for range 4 {
			q.Add("a")
			pass(100 * time.Millisecond)
		}
		require.Equal(t, []time.Duration{0, 1e8, 2e8, 3e8}, processed)
		cancel()
		synctest.Wait()
		q.Add("a")
		synctest.Wait()
		require.Len(t, processed, 5, "the end of the context ends no worker")
		q.ShutDown()
		synctest.Wait()
		require.Equal(t, 1, starts)
	})
}

// A worker that panics takes the program with it, and wait.Until does not call it again. Where that was turned off it
// does, a second later. The key of the panic is given back if its Done is deferred.
//
// covers: S1-23
func TestAWorkerThatPanicsEndsTheProgram(t *testing.T) {
	restore := utilruntime.ReallyCrash
	defer func() { utilruntime.ReallyCrash = restore }()
	for _, crash := range []bool{true, false} {
		utilruntime.ReallyCrash = crash
		testkit.Bubble(t, func(t *testing.T) {
			q := upstream.NewTyped[string]()
			addAll(q, "bad", "good")
			stop, began := make(chan struct{}), time.Now()
			processed, thrown := map[string]time.Duration{}, make(chan any, 1)
			go func() {
				defer func() { thrown <- recover() }() // in a program there is nobody
				wait.Until(func() {
					work(q, func(key string) {
						if key == "bad" {
							panic(key)
						}
						processed[key] = time.Since(began)
					})
				}, time.Second, stop)
			}()
			pass(time.Minute)
			if crash {
				require.Len(t, thrown, 1, "that it is called again would have been the belief")
				require.Equal(t, "bad", <-thrown)
				require.Empty(t, processed)
				return
			}
			require.Equal(t, map[string]time.Duration{"good": time.Second}, processed)
			q.ShutDown()
			close(stop)
			require.Nil(t, <-thrown)
		})
	}
}
