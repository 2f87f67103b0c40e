package claims

import (
	"context"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	typedcorev1 "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/tools/cache"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/04-store/store"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit/cluster"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit/kube"
)

func TestMain(m *testing.M) { cluster.Main(m) }

// patience is how long a test waits for something that has to happen.
const patience = 30 * time.Second

// fixture is a cluster with a namespace of the test's own, and client-go's clients for it.
type fixture struct {
	*cluster.Cluster
	set  kubernetes.Interface
	maps typedcorev1.ConfigMapInterface
}

func setup(t *testing.T) *fixture {
	t.Helper()
	c := cluster.New(t)
	set := kube.Clientset(t, kube.RESTConfig(t, c.Cluster))
	return &fixture{Cluster: c, set: set, maps: set.CoreV1().ConfigMaps(c.Namespace)}
}

// colored is an object that never saw a server.
func colored(namespace, name, color string) *corev1.ConfigMap {
	return &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name, ResourceVersion: "1",
		Labels: map[string]string{"color": color}}}
}

// create makes a ConfigMap with a label in the fixture's namespace.
func (f *fixture) create(t *testing.T, name, color string) *corev1.ConfigMap {
	t.Helper()
	object := colored(f.Namespace, name, color)
	object.ResourceVersion = ""
	made, err := f.maps.Create(t.Context(), object, metav1.CreateOptions{})
	require.NoError(t, err)
	return made
}

// paint gives a ConfigMap on the server another color.
func (f *fixture) paint(t *testing.T, object *corev1.ConfigMap, color string) *corev1.ConfigMap {
	t.Helper()
	changed := object.DeepCopy()
	changed.Labels["color"] = color
	written, err := f.maps.Update(t.Context(), changed, metav1.UpdateOptions{})
	require.NoError(t, err)
	return written
}

// factory makes informers of the namespace, without the ConfigMap that a full cluster puts into each.
func (f *fixture) factory() informers.SharedInformerFactory {
	return informers.NewSharedInformerFactoryWithOptions(f.set, 0, informers.WithNamespace(f.Namespace),
		informers.WithTweakListOptions(func(o *metav1.ListOptions) {
			o.FieldSelector = lab.OwnConfigMaps
		}))
}

// run runs a factory's informers until the end of the test or until stop is called, and returns when they have
// everything.
func run(t *testing.T, factory informers.SharedInformerFactory) (stop func()) {
	t.Helper()
	return runIn(t.Context(), t, factory)
}

// runIn is run, with the logger of a context.
func runIn(ctx context.Context, t *testing.T, factory informers.SharedInformerFactory) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(ctx)
	stop = func() {
		cancel()
		factory.Shutdown()
	}
	t.Cleanup(stop)
	factory.StartWithContext(ctx)
	patient, enough := context.WithTimeout(ctx, patience)
	defer enough()
	require.NoError(t, factory.WaitForCacheSyncWithContext(patient).Err)
	return stop
}

// heard is what a handler was told, in its order: "add a", "update a", "delete a". The store is never behind it.
type heard chan string

// listen registers a handler with an informer.
func listen(t *testing.T, informer cache.SharedInformer) heard {
	t.Helper()
	h := make(heard, 1000)
	_, err := informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    func(o any) { h <- "add " + nameOf(o) },
		UpdateFunc: func(_, o any) { h <- "update " + nameOf(o) },
		DeleteFunc: func(o any) { h <- "delete " + nameOf(o) },
	})
	require.NoError(t, err)
	return h
}

// expect waits for what a handler is told next. Of several, the order does not matter: the first objects of an informer
// have none.
func (h heard) expect(t *testing.T, want ...string) {
	t.Helper()
	var got []string
	for range want {
		select {
		case said := <-h:
			got = append(got, said)
		case <-time.After(patience):
			t.Fatalf("the handler was told %q and not %q", got, want)
		}
	}
	require.ElementsMatch(t, want, got)
}

// nameOf is an object's name.
func nameOf(object any) string {
	key, err := cache.DeletionHandlingMetaNamespaceKeyFunc(object)
	if err != nil {
		return err.Error()
	}
	return key[strings.LastIndex(key, "/")+1:]
}

// namesOf are the names of objects, sorted: a store's lists have no order.
func namesOf[T any](objects []T) []string {
	list := make([]string, 0, len(objects))
	for _, o := range objects {
		list = append(list, nameOf(o))
	}
	slices.Sort(list)
	return list
}

// observedStore is a store that tells of its writes, so that a test waits for one and not for a time.
type observedStore struct {
	*store.Store
	writes chan struct{} // of one element: there was a write since it was last taken
}

func observe(s *store.Store) *observedStore {
	return &observedStore{Store: s, writes: make(chan struct{}, 1)}
}

// signal passes on what a write returned, and that there was one.
func (o *observedStore) signal(err error) error {
	select {
	case o.writes <- struct{}{}:
	default:
	}
	return err
}

func (o *observedStore) Add(object any) error    { return o.signal(o.Store.Add(object)) }
func (o *observedStore) Update(object any) error { return o.signal(o.Store.Update(object)) }
func (o *observedStore) Delete(object any) error { return o.signal(o.Store.Delete(object)) }
func (o *observedStore) Replace(list []any, resourceVersion string) error {
	return o.signal(o.Store.Replace(list, resourceVersion))
}

func (o *observedStore) Bookmark(resourceVersion string) {
	o.Store.Bookmark(resourceVersion)
	_ = o.signal(nil)
}

func (o *observedStore) Transaction(all ...cache.Transaction) *cache.TransactionError {
	err := o.Store.Transaction(all...)
	_ = o.signal(nil)
	return err
}

// until waits for the write after which a condition holds.
func (o *observedStore) until(t *testing.T, condition func() bool) {
	t.Helper()
	enough := time.After(patience)
	for !condition() {
		select {
		case <-o.writes:
		case <-enough:
			t.Fatalf("it did not come to that; the store has %q", o.ListKeys())
		}
	}
}

// source lists and watches the namespace's ConfigMaps, as the factory's informers do, and counts its lists.
type source struct {
	*cache.ListWatch
	lists atomic.Int32
}

func (f *fixture) source() *source {
	own := func(o *metav1.ListOptions) { o.FieldSelector = lab.OwnConfigMaps }
	return &source{ListWatch: cache.NewFilteredListWatchFromClient(
		f.set.CoreV1().RESTClient(), "configmaps", f.Namespace, own)}
}

// ListWithContext implements cache.ListerWatcherWithContext.
func (s *source) ListWithContext(ctx context.Context, o metav1.ListOptions) (runtime.Object, error) {
	s.lists.Add(1)
	return s.ListWatch.ListWithContext(ctx, o)
}

// reflect has client-go's reflector fill a store until the end of the test.
func (f *fixture) reflect(t *testing.T, s cache.ReflectorStore) *source {
	t.Helper()
	from := f.source()
	reflector := cache.NewReflector(from, &corev1.ConfigMap{}, s, 0)
	ctx, cancel := context.WithCancel(t.Context())
	var running sync.WaitGroup
	running.Go(func() { reflector.RunWithContext(ctx) })
	t.Cleanup(func() {
		cancel()
		running.Wait()
	})
	return from
}

// wait waits for a channel.
func wait(t *testing.T, c <-chan struct{}) {
	t.Helper()
	select {
	case <-c:
	case <-time.After(patience):
		t.Fatal("it did not come")
	}
}

// byColor is an index of the label that colored gives.
func byColor(object any) ([]string, error) {
	color, labelled := object.(metav1.Object).GetLabels()["color"]
	if !labelled {
		return nil, nil
	}
	return []string{color}, nil
}

// newStore makes an empty store.
type newStore = func(cache.Indexers) cache.Indexer

// ours is this chapter's store, upstreams is client-go's. Both take a tombstone, as an informer's store has to.
func ours(i cache.Indexers) cache.Indexer {
	return store.New(cache.DeletionHandlingMetaNamespaceKeyFunc, i)
}

func upstreams(i cache.Indexers) cache.Indexer {
	return cache.NewIndexer(cache.DeletionHandlingMetaNamespaceKeyFunc, i)
}

// onBoth runs a test on this chapter's store and on upstream's.
func onBoth(t *testing.T, test func(t *testing.T, new newStore)) {
	t.Helper()
	t.Run("ours", func(t *testing.T) { test(t, ours) })
	t.Run("upstream", func(t *testing.T) { test(t, upstreams) })
}
