package claims

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/cache"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit"
)

// sleeper is a handler that takes a second for each.
func (d *diary) sleeper() cache.ResourceEventHandler {
	return cache.ResourceEventHandlerFuncs{AddFunc: func(o any) {
		d.note("begin %s", at(o))
		time.Sleep(time.Second)
		d.note("end %s", at(o))
	}}
}

// RemoveEventHandler returns at once, while its handler is in a call. ShutDownEventHandler also waits until that call
// has returned, so that what the handler uses can be closed behind it. What waited in the buffer is not told any more:
// the buffer hears of the removal while it can hand out nothing.
//
// covers: B-104 C-43
func TestWhenARemovedHandlerHasEnded(t *testing.T) {
	for name, row := range map[string]struct {
		remove func(cache.SharedInformer, cache.ResourceEventHandlerRegistration) error
		told   []string
		took   time.Duration
	}{
		"RemoveEventHandler": {cache.SharedInformer.RemoveEventHandler, []string{"begin a@11", "removed"}, 0},
		"ShutDownEventHandler": {cache.ShutDownEventHandler, []string{"begin a@11", "end a@11", "removed"},
			time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			testkit.Bubble(t, func(t *testing.T) {
				i := newInformed(0)
				registration := i.add(t, i.sleeper())
				stop := run(i.RunWithContext)
				defer stop()
				for _, name := range []string{"a", "b", "c"} {
					i.live().Add(cm(name, "11"))
				}
				synctest.Wait()
				start := time.Now()
				require.NoError(t, row.remove(i, registration))
				require.Equal(t, row.took, time.Since(start))
				i.note("removed")
				require.Equal(t, row.told, i.new())
				time.Sleep(time.Minute)
				require.NotContains(t, i.new(), "begin b@11", "of three events it was told one")
				require.NoError(t, row.remove(i, registration), "again")
			})
		})
	}
}

// A handler may remove itself, by RemoveEventHandler: it is called no more, as its call lasts. ShutDownEventHandler
// would wait for the call that it is made from.
//
// covers: B-104 C-43
func TestAHandlerRemovesItself(t *testing.T) {
	testkit.Bubble(t, func(t *testing.T) {
		i := newInformed(0)
		var registration cache.ResourceEventHandlerRegistration
		registration = i.add(t, cache.ResourceEventHandlerFuncs{AddFunc: func(o any) {
			i.note("add %s", at(o))
			require.NoError(t, i.RemoveEventHandler(registration))
			shut := make(chan struct{})
			go func() { defer close(shut); _ = cache.ShutDownEventHandler(i, registration) }()
			select {
			case <-shut:
				t.Error("it waits for this handler")
			case <-time.After(time.Hour):
				i.note("an hour later it has not ended")
			}
		}})
		stop := run(i.RunWithContext)
		defer stop()
		i.live().Add(cm("a", "11"))
		i.live().Add(cm("b", "12"))
		time.Sleep(2 * time.Hour)
		require.Equal(t, []string{"add a@11", "an hour later it has not ended"}, i.new())
	})
}

// A call may begin after RemoveEventHandler has returned. The goroutine of the buffer is told of the removal by a
// channel that is closed, and a select picks between that and a handler that is free. Which one it is, nobody can tell;
// so handlers join and are removed until one is called too late.
//
// covers: B-104
func TestACallBeginsAfterARemoval(t *testing.T) {
	testkit.Bubble(t, func(t *testing.T) {
		var objects []*corev1.ConfigMap
		for n := range 15 {
			objects = append(objects, cm(fmt.Sprint(n), "1"))
		}
		i := newInformed(0, objects...)
		defer run(i.RunWithContext)()
		for range 100_000 { // it takes a few hundred
			var begun atomic.Int64
			registration := i.add(t, cache.ResourceEventHandlerFuncs{AddFunc: func(any) { begun.Add(1) }})
			require.NoError(t, i.RemoveEventHandler(registration))
			before := begun.Load()
			synctest.Wait()
			if begun.Load() > before {
				return
			}
		}
		t.Error("no call has begun after a removal")
	})
}

// While an informer stops, it waits for its handlers with the lock that a removal takes. So a handler that removes
// itself, or another, at that moment waits for the informer, and that for the handler, for ever. Here the handler is
// released by hand, and the removal with it.
//
// covers: B-104
func TestARemovalWaitsForAnInformerThatStops(t *testing.T) {
	i := newInformed(0, cm("a", "1"))
	called, removed, release := make(chan struct{}), make(chan struct{}), make(chan struct{})
	registration := i.add(t, cache.ResourceEventHandlerFuncs{AddFunc: func(any) { close(called); <-release }})
	ctx, cancel := context.WithCancel(t.Context())
	stopped := make(chan struct{})
	go func() { defer close(stopped); i.RunWithContext(ctx) }()
	<-called
	cancel()
	require.Eventually(t, waitsForHandlers, 10*time.Second, time.Millisecond)
	go func() { defer close(removed); _ = i.RemoveEventHandler(registration) }() // as the handler would
	select {
	case <-removed:
		t.Error("RemoveEventHandler has returned, and its handler has not")
	case <-time.After(50 * time.Millisecond): // not long enough would be no failure
	}
	close(release)
	<-removed
	<-stopped
}

// waitsForHandlers says whether some informer's distributor stops.
func waitsForHandlers() bool {
	buf := make([]byte, 1<<20)
	for block := range strings.SplitSeq(string(buf[:runtime.Stack(buf, true)]), "\n\n") {
		if strings.Contains(block, "(*sharedProcessor).run(") && strings.Contains(block, "(*WaitGroup).Wait(") {
			return true
		}
	}
	return false
}

// A registration belongs to its informer. Another informer removes nothing, and says nothing; what no informer of
// client-go's has made is refused.
func TestTheRegistrationOfAnotherInformer(t *testing.T) {
	testkit.Bubble(t, func(t *testing.T) {
		one, other := newInformed(0), newInformed(0)
		registration := one.add(t, one.handler(""))
		other.add(t, other.handler(""))
		defer run(one.RunWithContext)()
		defer run(other.RunWithContext)()
		require.NoError(t, other.RemoveEventHandler(registration))
		one.live().Add(cm("a", "11"))
		require.Equal(t, []string{"add a@11"}, one.new())
		require.EqualError(t, one.RemoveEventHandler(nil), "invalid key type %!t(<nil>)")
	})
}
