package mirror_test

import (
	"context"
	"runtime/debug"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/client-go/util/workqueue"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/09-controller/mirror"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit"
)

// slowQueue is one whose first ShutDown returns when it is let.
type slowQueue struct {
	workqueue.TypedRateLimitingInterface[mirror.Key]
	first chan struct{} // has one element before the first ShutDown
	let   chan struct{}
}

func (q *slowQueue) ShutDown() {
	q.TypedRateLimitingInterface.ShutDown()
	select {
	case <-q.first:
		<-q.let
	default:
	}
}

// When Run returns nothing of it is left: not the goroutine that shuts the queue down either.
func TestRunWaitsForItsShutDown(t *testing.T) {
	testkit.Bubble(t, func(t *testing.T) {
		q := &slowQueue{first: make(chan struct{}, 1), let: make(chan struct{}),
			TypedRateLimitingInterface: workqueue.NewTypedRateLimitingQueue(
				workqueue.DefaultTypedControllerRateLimiter[mirror.Key]())}
		q.first <- struct{}{}
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		work := mirror.Work{Workers: 2, Queue: q, Reconcile: func(context.Context, mirror.Key) error { return nil }}
		go func() { ended <- work.Run(ctx) }()
		synctest.Wait()
		cancel()
		synctest.Wait()
		require.Empty(t, ended, "Run returned while it was shutting the queue down")
		close(q.let)
		synctest.Wait()
		require.Len(t, ended, 1)
		require.NoError(t, <-ended)
	})
}

// faultyRun is a run with a fault in it.
func faultyRun(context.Context, mirror.Key) error { panic("a fault") }

// A panic in a run is reported once as that key's error, and once with the stack that an error has not.
func TestAPanicOfARunIsLogged(t *testing.T) {
	var logged []string
	before := utilruntime.PanicHandlers
	t.Cleanup(func() { utilruntime.PanicHandlers = before })
	utilruntime.PanicHandlers = []func(context.Context, any){func(_ context.Context, value any) {
		require.Equal(t, "a fault", value)
		logged = append(logged, string(debug.Stack()))
	}}
	testkit.Bubble(t, func(t *testing.T) {
		q := workqueue.NewTypedRateLimitingQueue(workqueue.DefaultTypedControllerRateLimiter[mirror.Key]())
		ctx, cancel := context.WithCancel(t.Context())
		var reported []string
		work := mirror.Work{Workers: 1, Queue: q, Reconcile: faultyRun, Report: func(_ mirror.Key, err error) {
			reported = append(reported, err.Error())
			cancel()
		}}
		q.Add(mirror.Key{Namespace: "north", Name: "menu"})
		require.NoError(t, work.Run(ctx))
		require.Equal(t, []string{"reconciling north/menu panicked: a fault"}, reported)
	})
	require.Len(t, logged, 1)
	require.Contains(t, logged[0], "mirror_test.faultyRun")
}
