package claims

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-logr/logr"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	upstream "k8s.io/client-go/util/workqueue"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/controller/priorityqueue"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
	"sigs.k8s.io/controller-runtime/pkg/source"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit"
)

// A plainHandler adds the name of the object, and knows nothing of priorities.
type plainHandler = handler.TypedFuncs[client.Object, reconcile.Request]

func byName(object client.Object) reconcile.Request {
	return reconcile.Request{NamespacedName: client.ObjectKeyFromObject(object)}
}

// The handlers of controller-runtime give LowPriority, which is -100, to an object of the initial list, and to an
// update between two objects of the same version: a resync, and what a re-list found unchanged. All else has 0, a
// deletion too. Handlers that are made of functions do it for whatever these add, and WithLowPriorityWhenUnchanged for
// any.
//
// covers: C-22
func TestWhichEventsHaveALowPriority(t *testing.T) {
	require.Equal(t, -100, handler.LowPriority)
	object := func(version string) client.Object {
		return &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "a", ResourceVersion: version}}
	}
	type queue = upstream.TypedRateLimitingInterface[reconcile.Request]
	plain := plainHandler{
		CreateFunc: func(_ context.Context, e event.CreateEvent, q queue) { q.Add(byName(e.Object)) },
		UpdateFunc: func(_ context.Context, e event.UpdateEvent, q queue) { q.Add(byName(e.ObjectNew)) },
		DeleteFunc: func(_ context.Context, e event.DeleteEvent, q queue) { q.Add(byName(e.Object)) },
	}
	mapped := handler.EnqueueRequestsFromMapFunc(func(_ context.Context, o client.Object) []reconcile.Request {
		return []reconcile.Request{byName(o)}
	})
	handlers := map[string]handler.EventHandler{
		"object": &handler.EnqueueRequestForObject{}, "map": mapped, "functions": plain,
		"any": handler.WithLowPriorityWhenUnchanged[client.Object](plain),
	}
	testkit.Bubble(t, func(t *testing.T) {
		q := priorityqueue.New[reconcile.Request]("")
		defer q.ShutDown()
		ctx := t.Context()
		for name, h := range handlers {
			check := func(want int, what string) {
				t.Helper()
				key, priority, _ := q.GetWithPriority()
				require.Equal(t, want, priority, "%s: %s", name, what)
				q.Done(key)
			}
			h.Create(ctx, event.CreateEvent{Object: object("1"), IsInInitialList: true}, q)
			check(handler.LowPriority, "initial list")
			h.Create(ctx, event.CreateEvent{Object: object("1")}, q)
			check(0, "added")
			h.Update(ctx, event.UpdateEvent{ObjectOld: object("1"), ObjectNew: object("1")}, q)
			check(handler.LowPriority, "resync")
			h.Update(ctx, event.UpdateEvent{ObjectOld: object("1"), ObjectNew: object("2")}, q)
			check(0, "updated")
			h.Delete(ctx, event.DeleteEvent{Object: object("2")}, q)
			check(0, "deleted")
		}
	})
}

// started runs a controller without a manager, in a bubble. It has the queue that its options ask for.
func started(t *testing.T, options controller.Options) (q upstream.TypedRateLimitingInterface[reconcile.Request],
	stop func()) {
	t.Helper()
	options.SkipNameValidation, options.Logger = ptr.To(true), logr.Discard()
	c, err := controller.NewUnmanaged("tour", options)
	require.NoError(t, err)
	require.NoError(t, c.Watch(source.Func(func(_ context.Context,
		its upstream.TypedRateLimitingInterface[reconcile.Request]) error {
		q = its
		return nil
	})))
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- c.Start(ctx) }()
	synctest.Wait()
	require.NotNil(t, q)
	return q, func() {
		cancel()
		require.NoError(t, <-ended)
	}
}

func request(name string) reconcile.Request {
	return reconcile.Request{NamespacedName: types.NamespacedName{Name: name}}
}

// Without an option a controller has the priority queue, and with it a limiter that knows one key at a time: two
// hundred keys that fail once are tried again after 5 ms. With client-go's queue there is the bucket for all keys, and
// the last of them comes ten seconds later.
//
// covers: C-22 B-61
func TestThePriorityQueueHasNoBucket(t *testing.T) {
	for _, prioritized := range []*bool{nil, ptr.To(false)} {
		testkit.Bubble(t, func(t *testing.T) {
			tries, again := map[string]int{}, []time.Duration{}
			began := time.Now()
			q, stop := started(t, controller.Options{
				UsePriorityQueue: prioritized,
				Reconciler: reconcile.Func(func(_ context.Context, r reconcile.Request) (reconcile.Result, error) {
					if tries[r.Name]++; tries[r.Name] == 1 {
						return reconcile.Result{}, errFailed
					}
					again = append(again, time.Since(began))
					return reconcile.Result{}, nil
				}),
			})
			for n := range 200 {
				q.Add(request(fmt.Sprint("key", n)))
			}
			pass(time.Minute)
			stop()
			require.Len(t, again, 200)
			require.Equal(t, 5*time.Millisecond, again[0])
			if prioritized == nil {
				require.NotEqual(t, 10*time.Second, again[199], "ten a second would have been the belief")
				require.Equal(t, 5*time.Millisecond, again[199])
			} else {
				require.Equal(t, 10*time.Second, again[199])
			}
		})
	}
}

// A key that comes again after an error or a delay keeps the priority with which it was handed out. Result.Priority
// sets another one, also together with an error.
//
// covers: C-22
func TestAKeyKeepsItsPriority(t *testing.T) {
	testkit.Bubble(t, func(t *testing.T) {
		var order []string
		hold, held := make(chan struct{}), false
		q, stop := started(t, controller.Options{
			Reconciler: reconcile.Func(func(_ context.Context, r reconcile.Request) (reconcile.Result, error) {
				order = append(order, r.Name)
				again := strings.Count(strings.Join(order, " ")+" ", r.Name+" ") > 1
				switch {
				case r.Name == "block":
					held = true
					<-hold
				case again:
				case r.Name == "fails":
					return reconcile.Result{}, errFailed
				case r.Name == "raised":
					return reconcile.Result{Priority: ptr.To(5)}, errFailed
				case r.Name == "later":
					return reconcile.Result{RequeueAfter: time.Millisecond}, nil
				}
				return reconcile.Result{}, nil
			}),
		})
		low := q.(priorityqueue.PriorityQueue[reconcile.Request])
		low.AddWithOpts(with(handler.LowPriority), request("fails"), request("later"), request("raised"))
		synctest.Wait()
		low.AddWithOpts(with(100), request("block"))
		synctest.Wait()
		require.True(t, held)
		pass(time.Second) // all three are ready again, behind the one that is processed
		q.Add(request("new"))
		close(hold)
		synctest.Wait()
		stop()
		require.Equal(t, []string{"fails", "later", "raised", "block"}, order[:4])
		require.NotEqual(t, "new", order[4], "as all three came with a low priority")
		require.Equal(t, []string{"raised", "new", "later", "fails"}, order[4:])
	})
}
