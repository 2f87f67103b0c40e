package informer_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/client-go/tools/cache"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/07-shared-informer/informer"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit"
)

// panicking are what runs and has a piece that panics on the object cm-1: by name, ours and upstream's.
var panicking = map[string]map[string]func(*collection) (runner, cache.KeyGetter){
	"controller": {"ours": panickingController(informer.NewController), "upstream": panickingController(cache.New)},
	"informer":   {"ours": panickingInformer(ourInformer), "upstream": panickingInformer(theirInformer)},
}

type runner interface{ RunWithContext(context.Context) }

// panics is an index function with a fault.
func panics(object any) ([]string, error) {
	if object.(*corev1.ConfigMap).Name == name(1) {
		panic("a fault on " + name(1))
	}
	return nil, nil
}

// panickingInformer has the fault in an index function.
func panickingInformer(create create) func(*collection) (runner, cache.KeyGetter) {
	return func(c *collection) (runner, cache.KeyGetter) {
		i := create(c.listerWatcher(), 0, cache.Indexers{"faulty": panics})
		return i, i.GetStore()
	}
}

// panickingController has the fault in its Process, which is not an informer's.
func panickingController(create func(*cache.Config) cache.Controller) func(*collection) (runner, cache.KeyGetter) {
	return func(c *collection) (runner, cache.KeyGetter) {
		store := cache.NewStore(cache.MetaNamespaceKeyFunc)
		process := func(popped any, _ bool) error {
			for _, delta := range popped.(cache.Deltas) {
				objects := []any{delta.Object}
				if list, ok := delta.Object.(cache.ReplacedAllInfo); ok {
					objects = list.Objects
				}
				for _, object := range objects {
					_, _ = panics(object)
					_ = store.Add(object)
				}
			}
			return nil
		}
		return create(&cache.Config{
			Queue: cache.NewRealFIFOWithOptions(cache.RealFIFOOptions{
				KeyFunction: cache.MetaNamespaceKeyFunc, AtomicEvents: true}),
			ListerWatcher: c.listerWatcher(), ObjectType: &corev1.ConfigMap{}, Process: process,
		}), store
	}
}

// reallyCrash says for a test whether a panic that was logged goes on. It returns how often one was logged.
func reallyCrash(t *testing.T, really bool) (logged func() int) {
	t.Helper()
	before, handlers := utilruntime.ReallyCrash, utilruntime.PanicHandlers
	t.Cleanup(func() { utilruntime.ReallyCrash, utilruntime.PanicHandlers = before, handlers })
	var mu sync.Mutex
	times := 0
	utilruntime.ReallyCrash = really
	utilruntime.PanicHandlers = []func(context.Context, any){func(context.Context, any) {
		mu.Lock()
		defer mu.Unlock()
		times++
	}}
	return func() int {
		mu.Lock()
		defer mu.Unlock()
		return times
	}
}

// crash runs something until ctx ends, and returns what it panics with in the meantime.
func crash(ctx context.Context, r runner) (panicked chan any) {
	panicked = make(chan any, 1)
	go func() {
		defer func() { panicked <- recover() }()
		r.RunWithContext(ctx)
	}()
	synctest.Wait()
	return panicked
}

// moments are when the object comes that a piece panics on.
var moments = map[string]struct {
	listed int // objects
	later  func(c *collection)
}{
	"in the first list": {2, func(*collection) {}},
	"later":             {1, func(c *collection) { c.put(1); synctest.Wait() }},
}

// A panic on one object ends the program at once, also while the reflector has a watch: it comes out of Run. What is
// logged on its way is as much as upstream logs.
func TestAPanicComesOut(t *testing.T) {
	for what, makers := range panicking {
		for when, moment := range moments {
			t.Run(what+" "+when, func(t *testing.T) {
				logs := map[string]int{}
				for who, create := range makers {
					logged := reallyCrash(t, true)
					testkit.Bubble(t, func(t *testing.T) {
						ctx, cancel := context.WithCancel(t.Context())
						defer cancel() // what the panic has left
						c := fill(moment.listed)
						r, _ := create(c)
						panicked := crash(ctx, r)
						moment.later(c)
						select {
						case p := <-panicked:
							require.Equal(t, "a fault on cm-1", p, who)
						default:
							t.Errorf("%s: the program goes on, and its store stays as it is", who)
						}
					})
					logs[who] = logged()
				}
				require.NotZero(t, logs["ours"])
				require.Equal(t, logs["upstream"], logs["ours"], "how often it is logged")
			})
		}
	}
}

// Where a panic was told not to go on, what was being processed is skipped. The next comes a second later, and Run
// returns when it is told to.
func TestAPanicThatDoesNotGoOn(t *testing.T) {
	for what, makers := range panicking {
		for when, moment := range moments {
			for who, create := range makers {
				t.Run(fmt.Sprint(what, " ", when, " ", who), func(t *testing.T) {
					logged := reallyCrash(t, false)
					testkit.Bubble(t, func(t *testing.T) {
						c := fill(moment.listed)
						r, store := create(c)
						stop := begin(t.Context(), r)
						moment.later(c)
						c.put(2)
						synctest.Wait()
						require.Equal(t, 1, logged())
						_, taken, _ := store.GetByKey("default/cm-2")
						require.False(t, taken, "within the second")
						time.Sleep(time.Second)
						synctest.Wait()
						_, taken, _ = store.GetByKey("default/cm-2")
						require.True(t, taken, "after a second")
						stop()
						require.Equal(t, 1, logged())
					})
				})
			}
		}
	}
}

// A handler that is busy does not keep a panic back. It keeps upstream's, as long as it takes.
func TestAPanicDoesNotWaitForABusyHandler(t *testing.T) {
	for who, create := range implementations {
		t.Run(who, func(t *testing.T) {
			reallyCrash(t, true)
			testkit.Bubble(t, func(t *testing.T) {
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				c := fill(1)
				i := create(c.listerWatcher(), 0, cache.Indexers{"faulty": panics})
				release := make(chan struct{})
				_, err := i.AddEventHandler(cache.ResourceEventHandlerFuncs{AddFunc: func(any) { <-release }})
				require.NoError(t, err)
				panicked := crash(ctx, i)
				c.put(1)
				time.Sleep(time.Hour)
				require.Len(t, panicked, map[string]int{"ours": 1, "upstream": 0}[who])
				close(release)
				synctest.Wait()
				require.Equal(t, "a fault on cm-1", <-panicked)
				require.True(t, i.IsStopped())
			})
		})
	}
}

// Where a panic was told not to go on, a second passes before the next call. A handler that is removed has no next
// call, and ends at once.
func TestTheEndAfterAPanic(t *testing.T) {
	for who, create := range implementations {
		t.Run(who, func(t *testing.T) {
			logged := reallyCrash(t, false)
			testkit.Bubble(t, func(t *testing.T) {
				i := create(fill(1).listerWatcher(), 0, nil)
				registration, err := i.AddEventHandler(cache.ResourceEventHandlerFuncs{
					AddFunc: func(any) { panic("a fault") }})
				require.NoError(t, err)
				defer begin(t.Context(), i)()
				require.Equal(t, 1, logged())
				start := time.Now()
				require.NoError(t, cache.ShutDownEventHandler(i, registration))
				require.Zero(t, time.Since(start), "nothing follows, so nothing is waited for")
			})
		})
	}
}

// A panic ends an informer that has not synced, too.
func TestAPanicDoesNotWaitForTheFirstList(t *testing.T) {
	reallyCrash(t, true)
	testkit.Bubble(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		i := informer.New(fill(1).listerWatcher(), &corev1.ConfigMap{}, informer.Options{Parts: informer.Parts{
			Controller: func(c *cache.Config) cache.Controller { return faulty{informer.NewController(c)} }}})
		require.Equal(t, "a fault", <-crash(ctx, i))
		require.True(t, i.IsStopped())
		require.False(t, i.HasSynced())
	})
}

// faulty is a controller that panics before it has begun.
type faulty struct{ cache.Controller }

func (faulty) RunWithContext(context.Context) { panic("a fault") }
