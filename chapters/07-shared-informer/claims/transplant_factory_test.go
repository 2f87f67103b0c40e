package claims

import (
	"context"
	"reflect"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/07-shared-informer/informer"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit/cluster"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit/kube"
)

// constructor is what a factory's InformerFor wants: of informers of ours, for one resource of a namespace. Each period
// that a factory gives goes into periods.
func constructor(example runtime.Object, resource, namespace, selector string, periods *[]time.Duration) func(
	kubernetes.Interface, time.Duration) cache.SharedIndexInformer {
	return func(set kubernetes.Interface, resync time.Duration) cache.SharedIndexInformer {
		*periods = append(*periods, resync)
		lw := cache.NewListWatchFromClient(set.CoreV1().RESTClient(), resource, namespace,
			fields.ParseSelectorOrDie(selector))
		return informer.NewSharedIndexInformer(cache.ToListWatcherWithWatchListSemantics(lw, set), example, resync,
			cache.Indexers{cache.NamespaceIndex: cache.MetaNamespaceIndexFunc})
	}
}

// unmanaged is a transform: it takes what nobody reads out of an object.
func unmanaged(object any) (any, error) {
	if o, err := meta.Accessor(object); err == nil {
		o.SetManagedFields(nil)
	}
	return object, nil
}

// TestAFactoryRunsOurInformer has client-go's informer factory start, sync and stop informers of ours, and hand them
// out as its own: its generated listers read from them. One is asked for when the others run already.
func TestAFactoryRunsOurInformer(t *testing.T) {
	c := cluster.New(t)
	set := kube.Clientset(t, kube.RESTConfig(t, c.Cluster))
	create(t, set, c.Namespace, "a")
	create(t, set, c.Namespace, "b")
	factory := informers.NewSharedInformerFactoryWithOptions(set, 0, informers.WithTransform(unmanaged),
		informers.WithCustomResyncConfig(map[metav1.Object]time.Duration{&corev1.Secret{}: time.Second}))
	var periods []time.Duration
	ours, ok := factory.InformerFor(&corev1.ConfigMap{}, constructor(&corev1.ConfigMap{}, "configmaps", c.Namespace,
		lab.OwnConfigMaps, &periods)).(*informer.SharedIndexInformer)
	require.True(t, ok)
	generated := factory.Core().V1().ConfigMaps()
	require.Same(t, ours.GetIndexer(), generated.Informer().GetIndexer(), "the factory's informer is ours")

	arrivals := make(chan string, 10)
	registered, err := generated.Informer().AddEventHandler(tells(arrivals))
	require.NoError(t, err)
	require.IsType(t, &informer.Registration{}, registered)
	ctx, cancel := context.WithCancel(t.Context())
	defer func() { cancel(); factory.Shutdown() }()
	require.Empty(t, factory.WaitForCacheSync(ctx.Done()), "nothing was started")
	factory.StartWithContext(ctx)
	factory.StartWithContext(ctx) // starts it no second time
	synced := factory.WaitForCacheSyncWithContext(ctx)
	require.NoError(t, synced.AsError())
	require.Equal(t, map[reflect.Type]bool{reflect.TypeFor[*corev1.ConfigMap](): true}, synced.Synced)
	require.True(t, cache.WaitFor(ctx, "", registered.HasSyncedChecker()))
	require.ElementsMatch(t, []string{"add a", "add b"}, []string{<-arrivals, <-arrivals})

	lister := generated.Lister().ConfigMaps(c.Namespace)
	create(t, set, c.Namespace, "c")
	require.Equal(t, "add c", receive(t, arrivals))
	all, err := lister.List(labels.Everything())
	require.NoError(t, err)
	require.Len(t, all, 3)
	require.NoError(t, set.CoreV1().ConfigMaps(c.Namespace).Delete(t.Context(), "b", metav1.DeleteOptions{}))
	require.Equal(t, "delete b", receive(t, arrivals))
	_, err = lister.Get("b")
	require.True(t, apierrors.IsNotFound(err), "%v", err)
	a, err := lister.Get("a")
	require.NoError(t, err)
	require.Empty(t, a.ManagedFields, "the factory's transform was used")
	fresh, err := set.CoreV1().ConfigMaps(c.Namespace).Get(t.Context(), "a", metav1.GetOptions{})
	require.NoError(t, err)
	require.NotEmpty(t, fresh.ManagedFields)

	late := lateSecret(t, ctx, set, factory, c.Namespace, &periods)
	require.Equal(t, []time.Duration{0, time.Second}, periods, "the factory's, and the custom one")
	cancel()
	factory.Shutdown()
	require.True(t, ours.IsStopped())
	require.True(t, late.IsStopped())
	require.True(t, cache.IsDone(late.HasSyncedChecker()))
}

// lateSecret asks a factory that runs for an informer of Secrets, which hears of resyncs.
func lateSecret(t *testing.T, ctx context.Context, set kubernetes.Interface, factory informers.SharedInformerFactory,
	namespace string, periods *[]time.Duration) cache.SharedIndexInformer {
	t.Helper()
	_, err := set.CoreV1().Secrets(namespace).Create(ctx,
		&corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: "late"}}, metav1.CreateOptions{})
	require.NoError(t, err)
	late := factory.InformerFor(&corev1.Secret{}, constructor(&corev1.Secret{}, "secrets", namespace, "", periods))
	require.IsType(t, &informer.SharedIndexInformer{}, late)
	events := make(chan string, 10)
	_, err = late.AddEventHandler(tells(events))
	require.NoError(t, err)
	require.False(t, late.HasSynced())
	factory.StartWithContext(ctx)
	require.NoError(t, factory.WaitForCacheSyncWithContext(ctx).AsError())
	found, err := factory.Core().V1().Secrets().Lister().Secrets(namespace).Get("late")
	require.NoError(t, err)
	require.Equal(t, "late", found.Name)
	require.Equal(t, "add late", receive(t, events))
	require.Equal(t, "update late", receive(t, events), "by a resync")
	return late
}

// TestAFactoryNamesOurInformerThatHasNotSynced has the API server refuse: there is no such resource.
func TestAFactoryNamesOurInformerThatHasNotSynced(t *testing.T) {
	c := cluster.New(t)
	set := kube.Clientset(t, kube.RESTConfig(t, c.Cluster))
	factory := informers.NewSharedInformerFactory(set, 0)
	var periods []time.Duration
	ours := factory.InformerFor(&corev1.ConfigMap{}, constructor(&corev1.ConfigMap{}, "no-such-thing", c.Namespace, "",
		&periods))
	require.IsType(t, &informer.SharedIndexInformer{}, ours)
	failed := make(chan error, 100)
	require.NoError(t, ours.SetWatchErrorHandlerWithContext(func(_ context.Context, _ *cache.Reflector, err error) {
		select {
		case failed <- err:
		default:
		}
	}))
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	factory.StartWithContext(ctx)
	err := receive(t, failed)
	require.True(t, apierrors.IsNotFound(err), "the informer's error handler was told: %v", err)
	waiting, enough := context.WithCancel(ctx)
	enough()
	require.ErrorContains(t, factory.WaitForCacheSyncWithContext(waiting).AsError(),
		"failed to sync all caches: *v1.ConfigMap")
	cancel()
	factory.Shutdown()
	require.False(t, ours.HasSynced())
	require.True(t, ours.IsStopped())
}

// tells is a handler that sends a word for each call.
func tells(to chan<- string) cache.ResourceEventHandlerFuncs {
	say := func(word string) func(any) {
		return func(object any) { to <- word + " " + nameOf(object) }
	}
	return cache.ResourceEventHandlerFuncs{AddFunc: say("add"), DeleteFunc: say("delete"),
		UpdateFunc: func(_, object any) { say("update")(object) }}
}

// nameOf is the name of an object, or of a tombstone's.
func nameOf(object any) string {
	key, _ := cache.DeletionHandlingObjectToName(object)
	return key.Name
}

// receive takes what comes, or ends the test.
func receive[T any](t *testing.T, from <-chan T) T {
	t.Helper()
	select {
	case got := <-from:
		return got
	case <-time.After(30 * time.Second):
		t.Fatal("nothing came within 30 s")
		panic("unreachable")
	}
}

func create(t *testing.T, set kubernetes.Interface, namespace, name string) {
	t.Helper()
	_, err := set.CoreV1().ConfigMaps(namespace).Create(t.Context(),
		&corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: name}, Data: map[string]string{"of": "the-test"}},
		metav1.CreateOptions{})
	require.NoError(t, err)
}
