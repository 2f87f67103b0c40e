package claims

import (
	"context"
	"net"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/fields"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
	"sigs.k8s.io/controller-runtime/pkg/source"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit"
)

// The address of the probes is listened on when the manager is made, and not when it starts.
func TestWhereProbesAreServed(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer taken.Close()
	w := newWorld(t) // in no bubble: it listens
	options := w.options()
	options.HealthProbeBindAddress = taken.Addr().String()
	_, err = ctrl.NewManager(w.config, options)
	require.ErrorContains(t, err, "error listening on "+taken.Addr().String()+": ")
}

// A manager ends with the error of the runnable that failed first. What others return while they stop is logged: as an
// error, or as one that was dropped. The last of them may be lost in a channel that nobody reads any more.
func TestErrorsAfterTheEnd(t *testing.T) {
	testkit.Bubble(t, func(t *testing.T) {
		w := newWorld(t)
		m := w.manager(w.options())
		for range 2 {
			require.NoError(t, m.Add(manager.RunnableFunc(func(ctx context.Context) error {
				<-ctx.Done()
				return errNo
			})))
		}
		runs := start(t, m.Start)
		pass(time.Second)
		require.NoError(t, runs.Stop())
		synctest.Wait() // who logs it is not waited for
		said := 0
		for _, line := range w.log() {
			if line == "ERROR error received after stop sequence was engaged: "+errNo.Error() ||
				line == "INFO error dropped during shutdown to prevent goroutine leak: "+errNo.Error() {
				said++
			}
		}
		require.NotZero(t, said, "%q", w.log())
	})
}

// An event without an object becomes no key: the handler says so, and drops it.
func TestAnEventWithoutAnObject(t *testing.T) {
	testkit.Bubble(t, func(t *testing.T) {
		w := newWorld(t)
		b, m := w.built()
		bell := make(chan event.GenericEvent, 1)
		bell <- event.GenericEvent{}
		require.NoError(t, b.WatchesRawSource(source.Channel(bell, &handler.EnqueueRequestForObject{})).
			Complete(w.record.Reconciler("mirror", reconciles(reconcile.Result{}, nil))))
		start(t, m.Start)
		pass(time.Second)
		require.Empty(t, w.keys())
		require.Contains(t, strings.Join(w.log(), "\n"), "ERROR GenericEvent received with no metadata")
	})
}

// A handler by owner asks the scheme for the owner's kind when it is made, and panics if there is none.
func TestAnOwnerThatTheSchemeDoesNotKnow(t *testing.T) {
	testkit.Bubble(t, func(t *testing.T) {
		w := newWorld(t)
		m := w.manager(w.options())
		require.Panics(t, func() {
			handler.EnqueueRequestForOwner(m.GetScheme(), m.GetRESTMapper(), &v1alpha1.Process{})
		})
		require.Contains(t, strings.Join(w.log(), "\n"), "ERROR Could not get ObjectKinds for OwnerType: no kind is "+
			"registered for the type v1alpha1.Process in scheme")
	})
}

// A cache gives out all that it has: there are no pages to go on with. Of several fields, each needs an index, and the
// words for the second one that has none are others than those for the first.
func TestListsThatACacheRefuses(t *testing.T) {
	testkit.Bubble(t, func(t *testing.T) {
		w := newWorld(t)
		w.create("north", "menu")
		m := w.begun(nil)
		var list corev1.ConfigMapList
		err := m.GetClient().List(t.Context(), &list, client.Continue("page"))
		require.EqualError(t, err, "continue list option is not supported by the cache")
		require.NoError(t, m.GetFieldIndexer().IndexField(t.Context(), configMap("", ""), "metadata.name",
			func(o ctrlObject) []string { return []string{o.GetName()} }))
		err = m.GetClient().List(t.Context(), &list, client.MatchingFieldsSelector{Selector: fields.AndSelectors(
			fields.OneTermEqualSelector("metadata.name", "menu"), fields.OneTermEqualSelector("color", "red"))})
		require.EqualError(t, err, "index with name field:color does not exist")
	})
}
