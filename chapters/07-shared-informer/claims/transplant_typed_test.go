package claims

import (
	"context"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/07-shared-informer/informer"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/faults"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit/cluster"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit/kube"
)

// typedWorld is a namespace, an informer of ours for its ConfigMaps, and client-go's types around it.
type typedWorld struct {
	set   kubernetes.Interface // past the faults
	in    string
	ours  *informer.SharedIndexInformer
	typed cache.TypedSharedIndexInformer[*corev1.ConfigMap]
}

// newTypedWorld has the informer's requests meet faults: see faults.Parse. What happens in that moment is inTheGap's.
func newTypedWorld(t *testing.T, text string, inTheGap func(*typedWorld)) *typedWorld {
	c := cluster.New(t)
	w := &typedWorld{set: kube.Clientset(t, kube.RESTConfig(t, c.Cluster)), in: c.Namespace}
	script, err := faults.Parse(text)
	require.NoError(t, err)
	proxy := faults.New(c.Server, c.HTTPClient().Transport, script)
	t.Cleanup(func() { require.NoError(t, proxy.Close()) })
	proxy.OnFault(func(faults.Record, faults.Fault) { inTheGap(w) })
	faulty, err := kubernetes.NewForConfigAndClient(&rest.Config{Host: "http://faults", QPS: -1,
		ContentConfig: rest.ContentConfig{ContentType: runtime.ContentTypeJSON}}, proxy.Client())
	require.NoError(t, err)
	w.ours = informer.New(cache.NewListWatchFromClient(faulty.CoreV1().RESTClient(), "configmaps", w.in,
		fields.ParseSelectorOrDie(lab.OwnConfigMaps)), &corev1.ConfigMap{}, informer.Options{})
	w.typed = cache.NewTypedSharedIndexInformer[*corev1.ConfigMap](w.ours)
	return w
}

// run runs the informer until the test ends.
func (w *typedWorld) run(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		w.typed.RunWithContext(ctx)
	}()
	t.Cleanup(func() { cancel(); <-ended })
}

// TestTypedHandlersOnOurInformer puts client-go's TypedSharedIndexInformer around ours: handlers and indexes without
// type assertions. An object is deleted while the watch is cut, so the handler gets a tombstone with its last state.
func TestTypedHandlersOnOurInformer(t *testing.T) {
	// Two objects, a third one, a deletion, and then this instead of a fifth event.
	w := newTypedWorld(t, "1.5 expired", func(w *typedWorld) {
		require.NoError(t, w.set.CoreV1().ConfigMaps(w.in).Delete(t.Context(), "a", metav1.DeleteOptions{}))
	})
	create(t, w.set, w.in, "a")
	create(t, w.set, w.in, "b")
	require.NoError(t, w.typed.AddTypedIndexers(cache.TypedIndexers[*corev1.ConfigMap]{
		"letter": func(c *corev1.ConfigMap) ([]string, error) { return []string{c.Name[:1]}, nil }}))

	events := make(chan string, 10)
	tombstones := make(chan cache.DeletedObject[*corev1.ConfigMap], 10)
	registered, err := w.typed.AddTypedEventHandler(cache.TypedResourceEventHandlerDetailedFuncs[*corev1.ConfigMap]{
		AddFunc: func(c *corev1.ConfigMap, initial bool) {
			events <- map[bool]string{true: "initial ", false: "add "}[initial] + c.Name
		},
		UpdateFunc: func(_, c *corev1.ConfigMap) { events <- "update " + c.Name },
		DeleteFunc: func(d cache.DeletedObject[*corev1.ConfigMap]) { tombstones <- d },
	})
	require.NoError(t, err)
	require.IsType(t, &informer.Registration{}, registered)
	_, err = w.typed.AddTypedEventHandler(nil, cache.HandlerOptions{}, cache.HandlerOptions{})
	require.Error(t, err, "two options are one too many")
	w.run(t)
	require.ElementsMatch(t, []string{"initial a", "initial b"}, []string{receive(t, events), receive(t, events)})
	create(t, w.set, w.in, "bb")
	require.Equal(t, "add bb", receive(t, events))
	some, err := w.typed.GetTypedIndexer().ByTypedIndex("letter", "b")
	require.NoError(t, err)
	require.Len(t, some, 2)

	require.NoError(t, w.set.CoreV1().ConfigMaps(w.in).Delete(t.Context(), "b", metav1.DeleteOptions{}))
	seen := receive(t, tombstones)
	require.Nil(t, seen.FinalStateUnknown, "the watch told of it")
	require.Equal(t, "b", seen.OptionalObj.Name)
	create(t, w.set, w.in, "c") // the fifth
	unseen := receive(t, tombstones)
	require.NotNil(t, unseen.FinalStateUnknown, "a list told of it")
	require.Equal(t, w.in+"/a", unseen.FinalStateUnknown.Key)
	require.Equal(t, "a", unseen.OptionalObj.Name, "the last known state")
	// The list has bb again. As long as no resync was looked for, that goes to each handler; upstream's does so, too.
	require.ElementsMatch(t, []string{"update bb", "add c"}, []string{receive(t, events), receive(t, events)})
}

// TestShutDownEventHandlerWaitsForOurHandler removes a handler of ours by client-go's function while the handler is in
// a call: it returns when the call has, and the handler is called no more, although something waited for it.
func TestShutDownEventHandlerWaitsForOurHandler(t *testing.T) {
	w := newTypedWorld(t, "", nil)
	create(t, w.set, w.in, "a")
	create(t, w.set, w.in, "b")
	inside, goOn := make(chan struct{}, 2), make(chan struct{})
	var calls, returned atomic.Int32
	stuck, err := w.typed.AddEventHandler(cache.ResourceEventHandlerFuncs{AddFunc: func(any) {
		calls.Add(1)
		inside <- struct{}{}
		<-goOn
		returned.Add(1)
	}})
	require.NoError(t, err)
	others := make(chan string, 10)
	other, err := w.typed.AddEventHandler(tells(others))
	require.NoError(t, err)
	w.run(t)
	receive(t, inside)
	require.True(t, cache.WaitFor(t.Context(), "", w.typed.HasSyncedChecker(), other.HasSyncedChecker()),
		"one that is stuck keeps nobody else waiting")
	require.False(t, stuck.HasSynced())
	require.Equal(t, 1, stuck.(*informer.Registration).Waiting())
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	require.False(t, cache.WaitFor(ctx, "", w.typed.HasSyncedChecker(), stuck.HasSyncedChecker()))
	require.Equal(t, "SharedIndexInformer *v1.ConfigMap", w.typed.HasSyncedChecker().Name(), "as upstream's")
	require.Contains(t, stuck.HasSyncedChecker().Name(), "SharedIndexInformer *v1.ConfigMap + event handler ",
		"as upstream's")

	done := make(chan error, 1)
	go func() { done <- cache.ShutDownEventHandler(w.typed, stuck) }()
	create(t, w.set, w.in, "c")
	for range 3 {
		receive(t, others)
	}
	select {
	case err := <-done:
		t.Fatalf("ShutDownEventHandler returned with %v while the handler was in a call", err)
	default:
	}
	close(goOn)
	require.NoError(t, receive(t, done))
	require.EqualValues(t, 1, returned.Load(), "it waited for the call")
	require.NoError(t, cache.ShutDownEventHandler(w.typed, stuck), "again")
	create(t, w.set, w.in, "d")
	require.Equal(t, "add d", receive(t, others))
	require.EqualValues(t, 1, calls.Load(), "b waited, and was dropped")
	require.False(t, stuck.HasSynced(), "and so it never has")
}
