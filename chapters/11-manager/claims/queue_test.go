package claims

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	"k8s.io/client-go/util/workqueue"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/controller/priorityqueue"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
	"sigs.k8s.io/controller-runtime/pkg/source"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/11-manager/opened"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit"
)

// takes is a reconciler whose runs take a time.
func takes(d time.Duration) reconcile.Reconciler {
	return reconcile.Func(func(context.Context, reconcile.Request) (reconcile.Result, error) {
		time.Sleep(d)
		return reconcile.Result{}, nil
	})
}

// A controller has one worker unless told. So one run that takes a minute holds back each other key for a minute, and
// with two workers it does not. The key that is being run waits for its own run however many there are.
//
// covers: S0-66 S0-67 S0-68 B-81
func TestOneKeyIsNotRunTwiceAtOnce(t *testing.T) {
	begins := map[int][]instant{
		0: {{0, "mirror runs north/menu"}, {time.Minute, "mirror runs north/wine"},
			{2 * time.Minute, "mirror runs north/menu"}},
		2: {{0, "mirror runs north/menu"}, {0, "mirror runs north/wine"},
			{time.Minute, "mirror runs north/menu"}},
	}
	for workers, want := range begins {
		t.Run(fmt.Sprint(workers), func(t *testing.T) {
			testkit.Bubble(t, func(t *testing.T) {
				w, got := newWorld(t), make(chan opened.Queue, 1)
				options := w.asks("mirror", takes(time.Minute))
				options.MaxConcurrentReconciles = workers
				c, err := controller.NewUnmanaged("mirror", options)
				require.NoError(t, err)
				require.NoError(t, c.Watch(adds(got, menu, request("north", "wine"))))
				w.record.Restart()
				start(t, c.Start)
				queue := <-got
				synctest.Wait()
				queue.Add(menu) // while it is being run
				pass(time.Hour)
				runs := slices.DeleteFunc(moments(w.record, opened.Reconcilers),
					func(m instant) bool { return !strings.Contains(m.what, "runs") })
				require.Equal(t, want, sorted(runs))
			})
		})
	}
}

// That is so within a controller. Two controllers of one kind have a queue each, and run the same key at the same
// time.
//
// covers: B-81 S0-66
func TestTwoControllersRunOneKeyAtOnce(t *testing.T) {
	testkit.Bubble(t, func(t *testing.T) {
		w := newWorld(t)
		m := w.manager(w.options())
		var mu sync.Mutex
		at, most := map[string]int{}, 0
		count := func(key string, by int) {
			mu.Lock()
			defer mu.Unlock()
			at[key] += by
			most = max(most, at[key])
		}
		for _, name := range []string{"mirror", "tidy"} {
			c, err := controller.New(name, m, w.asks(name, reconcile.Func(func(_ context.Context,
				r reconcile.Request) (reconcile.Result, error) {
				count(r.String(), 1)
				time.Sleep(time.Minute)
				count(r.String(), -1)
				return reconcile.Result{}, nil
			})))
			require.NoError(t, err)
			require.NoError(t, c.Watch(source.Kind(m.GetCache(), configMap("", ""),
				&handler.TypedEnqueueRequestForObject[*configMapType]{})))
		}
		w.create("north", "menu")
		start(t, m.Start)
		pass(time.Hour)
		require.Equal(t, 2, most)
	})
}

// The queue of a controller is one with priorities, unless another is asked for. What the first list has comes at a
// low one, and so does what a resync repeats: an object that is made meanwhile does not wait behind ten thousand that
// are not new.
//
// covers: B-75
func TestTheQueueHasPriorities(t *testing.T) {
	for _, priorities := range []bool{true, false} {
		t.Run(fmt.Sprint(priorities), func(t *testing.T) {
			testkit.Bubble(t, func(t *testing.T) {
				w := newWorld(t)
				for i := range 5 {
					w.create("north", fmt.Sprint("old-", i))
				}
				m := w.manager(w.options())
				options := w.asks("mirror", takes(time.Minute))
				options.NewQueue = nil // upstream's own choice
				options.UsePriorityQueue = ptr.To(priorities)
				c, err := controller.New("mirror", m, options)
				require.NoError(t, err)
				var kind string
				require.NoError(t, c.Watch(source.Func(func(_ context.Context, queue opened.Queue) error {
					kind = fmt.Sprintf("%T", queue)
					return nil
				})))
				require.NoError(t, c.Watch(source.Kind(m.GetCache(), configMap("", ""),
					&handler.TypedEnqueueRequestForObject[*configMapType]{})))
				w.record.Restart()
				start(t, m.Start)
				pass(90 * time.Second)
				w.create("north", "new")
				pass(time.Hour)
				var order []string
				for _, e := range w.record.Events(opened.Reconcilers) {
					if e.What == "runs" {
						order = append(order, strings.TrimPrefix(e.Item, "north/"))
					}
				}
				require.Len(t, order, 6)
				if priorities {
					require.Contains(t, kind, "priorityqueue.priorityqueue")
					require.Equal(t, "new", order[2], "two have been begun")
				} else {
					require.NotContains(t, kind, "priorityqueue.priorityqueue[")
					require.Equal(t, "new", order[5])
				}
			})
		})
	}
}

// Keys that fail are held back one by one. A thousand that fail once all come again after 5 ms, at the same time. With
// client-go's queue, which the manager's option asks for, a bucket of ten a second is shared by all: the last of them
// waits for a minute and a half.
//
// covers: B-75
func TestTheDefaultLimiterHasNoBucket(t *testing.T) {
	for _, priorities := range []bool{true, false} {
		t.Run(fmt.Sprint(priorities), func(t *testing.T) {
			testkit.Bubble(t, func(t *testing.T) {
				w := newWorld(t)
				failed := map[reconcile.Request]bool{}
				var last time.Duration
				begin := time.Now()
				options := controller.Options{SkipNameValidation: ptr.To(true), Logger: w.record.Logger(),
					UsePriorityQueue: ptr.To(priorities),
					Reconciler: reconcile.Func(func(_ context.Context, r reconcile.Request) (reconcile.Result, error) {
						if !failed[r] {
							failed[r] = true
							return reconcile.Result{}, errNo
						}
						last = time.Since(begin)
						return reconcile.Result{}, nil
					})}
				var all []reconcile.Request
				for i := range 1000 {
					all = append(all, request("north", fmt.Sprint(i)))
				}
				alone(t, w, options, time.Hour, all...)
				if priorities {
					require.Equal(t, 5*time.Millisecond, last)
				} else {
					require.Equal(t, 90*time.Second, last.Round(time.Second))
				}
			})
		})
	}
}

// Nothing looks into the queue from time to time: a worker waits in Get, for a day, and is there when a key is.
//
// covers: B-75
func TestWorkersWaitInGet(t *testing.T) {
	testkit.Bubble(t, func(t *testing.T) {
		w, got := newWorld(t), make(chan opened.Queue, 1)
		c, err := controller.NewUnmanaged("mirror", w.asks("mirror", reconciles(reconcile.Result{}, nil)))
		require.NoError(t, err)
		require.NoError(t, c.Watch(adds(got)))
		w.record.Restart()
		start(t, c.Start)
		queue := <-got
		pass(24*time.Hour + 123*time.Millisecond)
		require.Empty(t, w.record.Events(opened.Queues))
		queue.Add(menu)
		pass(time.Hour)
		require.Equal(t, []time.Duration{24*time.Hour + 123*time.Millisecond}, w.ran())
	})
}

// A queue is shut down while its workers wait in Get, and while items wait, and all of it ends. A controller that is
// started twice says so, and the error does not keep its lock.
//
// covers: C-50
func TestAControllerEnds(t *testing.T) {
	testkit.Bubble(t, func(t *testing.T) {
		w := newWorld(t)
		options := w.asks("mirror", takes(time.Minute))
		options.MaxConcurrentReconciles = 3
		c, err := controller.NewUnmanaged("mirror", options)
		require.NoError(t, err)
		require.NoError(t, c.Watch(adds(nil, menu, request("north", "wine"))))
		runs := start(t, c.Start)
		synctest.Wait()
		for range 2 {
			require.EqualError(t, c.Start(t.Context()), "controller was started more than once. This is likely to be "+
				"caused by being added to a manager multiple times")
		}
		begin := time.Now()
		require.NoError(t, runs.Stop())
		require.Equal(t, time.Minute, time.Since(begin), "the two runs that were under way are waited for")

		queue := priorityqueue.New[string]("alone")
		ended := make(chan bool)
		for range 3 {
			go func() {
				_, shutdown := queue.Get()
				ended <- shutdown
			}()
		}
		queue.AddAfter("later", time.Hour)
		synctest.Wait()
		queue.ShutDown()
		for range 3 {
			require.True(t, <-ended)
		}
	})
}

// What goes through a controller need not be a name: handlers, predicates, sources and the queue have a type for what
// they pass on, and a controller may have one of its own.
//
// covers: C-28 C-50
func TestAControllerOfItsOwnRequests(t *testing.T) {
	type table int
	testkit.Bubble(t, func(t *testing.T) {
		w := newWorld(t)
		var served []table
		c, err := controller.NewTypedUnmanaged("waiter", controller.TypedOptions[table]{
			SkipNameValidation: ptr.To(true), Logger: w.record.Logger(),
			Reconciler: reconcile.TypedFunc[table](func(_ context.Context, n table) (reconcile.Result, error) {
				served = append(served, n)
				return reconcile.Result{}, nil
			})})
		require.NoError(t, err)
		bells := make(chan event.TypedGenericEvent[table])
		queued := handler.TypedFuncs[table, table]{GenericFunc: func(_ context.Context,
			e event.TypedGenericEvent[table], queue workqueue.TypedRateLimitingInterface[table]) {
			queue.Add(e.Object)
		}}
		odd := predicate.NewTypedPredicateFuncs(func(n table) bool { return n%2 == 1 })
		require.NoError(t, c.Watch(source.TypedChannel(bells, queued, source.WithPredicates[table, table](odd))))
		start(t, c.Start)
		for n := range table(4) {
			bells <- event.TypedGenericEvent[table]{Object: n}
		}
		pass(time.Second)
		require.Equal(t, []table{1, 3}, served)
	})
}
