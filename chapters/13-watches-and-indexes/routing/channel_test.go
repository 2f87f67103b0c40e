package routing_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	"k8s.io/client-go/util/workqueue"
	"pgregory.net/rapid"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/13-watches-and-indexes/routing"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit"
)

// counted is a handler that counts how often it was given each name, and takes a while.
type counted struct {
	handler.Funcs
	takes time.Duration

	lock  sync.Mutex // guards times
	times map[string]int
}

func newCounted(takes time.Duration) *counted {
	c := &counted{takes: takes, times: map[string]int{}}
	c.GenericFunc = func(_ context.Context, e event.GenericEvent, _ routing.Queue) {
		c.lock.Lock()
		c.times[e.Object.GetName()]++
		c.lock.Unlock()
		time.Sleep(c.takes)
	}
	return c
}

func (c *counted) all() map[string]int {
	c.lock.Lock()
	defer c.lock.Unlock()
	all := map[string]int{}
	for name, n := range c.times {
		all[name] = n
	}
	return all
}

func TestWhatComesBeforeTheStartWaits(t *testing.T) {
	testkit.Bubble(t, func(t *testing.T) {
		h := newCounted(0)
		c := routing.NewChannel(h)
		for i := range 10_000 {
			c.Notify(client.ObjectKey{Name: fmt.Sprint(i % 100)})
		}
		require.Equal(t, 100, c.Waiting())
		ctx, cancel := context.WithCancel(t.Context())
		require.NoError(t, c.Start(ctx, nil))
		synctest.Wait()
		require.Zero(t, c.Waiting())
		require.Len(t, h.all(), 100)
		for name, n := range h.all() {
			require.Equal(t, 1, n, name)
		}
		cancel()
		synctest.Wait()
	})
}

func TestWhatComesDuringItsRunComesAgain(t *testing.T) {
	testkit.Bubble(t, func(t *testing.T) {
		h := newCounted(time.Minute)
		c := routing.NewChannel(h)
		require.NoError(t, c.Start(t.Context(), nil))
		c.Notify(client.ObjectKey{Name: "black"})
		synctest.Wait() // the handler has it
		for range 5 {
			c.Notify(client.ObjectKey{Name: "black"})
			c.Notify(client.ObjectKey{Name: "green"})
		}
		require.Equal(t, 2, c.Waiting())
		time.Sleep(time.Hour)
		require.Equal(t, map[string]int{"black": 2, "green": 1}, h.all())
	})
}

func TestAChannelStartsOnce(t *testing.T) {
	testkit.Bubble(t, func(t *testing.T) {
		h := newCounted(time.Minute)
		c := routing.NewChannel(h)
		ctx, cancel := context.WithCancel(t.Context())
		require.NoError(t, c.Start(ctx, nil))
		c.Notify(client.ObjectKey{Name: "black"})
		c.Notify(client.ObjectKey{Name: "green"})
		synctest.Wait()
		require.ErrorIs(t, c.Start(t.Context(), nil), routing.ErrStarted, "while it runs")
		cancel()
		time.Sleep(time.Hour)
		c.Notify(client.ObjectKey{Name: "white"})
		require.Equal(t, map[string]int{"black": 1}, h.all())
		require.Zero(t, c.Waiting(), "after its end it keeps nothing")
		require.ErrorIs(t, c.Start(t.Context(), nil), routing.ErrStarted, "after its end")
	})
}

func TestAChannelWhoseEndCameFirst(t *testing.T) {
	testkit.Bubble(t, func(t *testing.T) {
		h := newCounted(0)
		c := routing.NewChannel(h)
		c.Notify(client.ObjectKey{Name: "black"})
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		require.NoError(t, c.Start(ctx, nil))
		synctest.Wait()
		require.Empty(t, h.all())
		require.Zero(t, c.Waiting())
	})
}

func TestAChannelAsksItsPredicates(t *testing.T) {
	testkit.Bubble(t, func(t *testing.T) {
		h := newCounted(0)
		c := routing.NewChannel(h, routing.Funcs{}, routing.Funcs{GenericFunc: func(e event.GenericEvent) bool {
			return e.Object.GetName() != "black"
		}})
		require.NoError(t, c.Start(t.Context(), nil))
		c.Notify(client.ObjectKey{Name: "black"})
		c.Notify(client.ObjectKey{Name: "green"})
		synctest.Wait()
		require.Equal(t, map[string]int{"green": 1}, h.all())
	})
}

// Senders before the start and while it runs, in any order: each key was handled after it was last sent.
func TestNothingIsLost(t *testing.T) {
	testkit.Bubble(t, func(t *testing.T) {
		rapid.Check(struct{ rapid.TB }{t}, func(t *rapid.T) {
			q := workqueue.NewTypedRateLimitingQueue(workqueue.DefaultTypedControllerRateLimiter[reconcile.Request]())
			defer q.ShutDown()
			// What was last sent of a key, and what it was when it was handled.
			sent, handled := map[string]int{}, map[string]int{}
			var lock sync.Mutex
			notes := func(_ context.Context, e event.GenericEvent, _ routing.Queue) {
				lock.Lock()
				handled[e.Object.GetName()] = sent[e.Object.GetName()]
				lock.Unlock()
				time.Sleep(time.Second)
			}
			c := routing.NewChannel(handler.Funcs{GenericFunc: notes})
			ctx, cancel := context.WithCancel(context.Background())
			defer func() { cancel(); time.Sleep(2 * time.Second) }()
			steps := rapid.SliceOfN(rapid.IntRange(0, 5), 1, 40).Draw(t, "steps")
			start := rapid.IntRange(0, len(steps)).Draw(t, "start")
			for i, step := range steps {
				if i == start {
					require.NoError(t, c.Start(ctx, q))
				}
				if step == 0 {
					time.Sleep(time.Second)
					continue
				}
				name := fmt.Sprint(step)
				lock.Lock()
				sent[name] = i + 1
				lock.Unlock()
				c.Notify(client.ObjectKey{Name: name})
			}
			if start == len(steps) {
				require.NoError(t, c.Start(ctx, q))
			}
			time.Sleep(time.Minute)
			lock.Lock()
			defer lock.Unlock()
			require.Equal(t, sent, handled)
		})
	})
}
