package claims

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-logr/logr"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/runtime"
	utilnet "k8s.io/apimachinery/pkg/util/net"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"
	"k8s.io/utils/ptr"
	ctrl "sigs.k8s.io/controller-runtime"
	ctrlcache "sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/config"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	ctrllog "sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
	"sigs.k8s.io/controller-runtime/pkg/source"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/07-shared-informer/informer"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit/cluster"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit/kube"
)

// workshop makes informers for others, and knows what it made.
type workshop struct {
	mu      sync.Mutex
	made    []*informer.SharedIndexInformer
	buffers atomic.Int64 // of handlers, running
}

// informer is what controller-runtime's cache.Options.NewInformer wants.
func (w *workshop) informer(lw cache.ListerWatcher, example runtime.Object, resync time.Duration,
	indexers cache.Indexers) cache.SharedIndexInformer {
	made := informer.New(emptied{lw}, example, informer.Options{ResyncPeriod: resync, Indexers: indexers,
		Parts: informer.Parts{Buffer: w.buffer}})
	w.mu.Lock()
	defer w.mu.Unlock()
	w.made = append(w.made, made)
	return made
}

func (w *workshop) buffer(in <-chan informer.Notification, out chan<- []informer.Notification) {
	w.buffers.Add(1)
	defer w.buffers.Add(-1)
	informer.Pump(in, out)
}

// all are those that were made until now.
func (w *workshop) all() []*informer.SharedIndexInformer {
	w.mu.Lock()
	defer w.mu.Unlock()
	return append([]*informer.SharedIndexInformer(nil), w.made...)
}

// emptied reads a watch to its end when it has been stopped. controller-runtime puts a watch.Filter around those of
// metadata, and the goroutine of one waits for ever with the event that it has in its hand when it is stopped, under
// upstream's informer too: https://github.com/kubernetes/kubernetes/issues/113254.
type emptied struct{ cache.ListerWatcher }

func (e emptied) WatchWithContext(ctx context.Context, options metav1.ListOptions) (watch.Interface, error) {
	w, err := cache.ToListerWatcherWithContext(e.ListerWatcher).WatchWithContext(ctx, options)
	return emptiedWatch{w}, err
}

func (e emptied) ListWithContext(ctx context.Context, options metav1.ListOptions) (runtime.Object, error) {
	return cache.ToListerWatcherWithContext(e.ListerWatcher).ListWithContext(ctx, options)
}

type emptiedWatch struct{ watch.Interface }

func (w emptiedWatch) Stop() {
	w.Interface.Stop()
	go func() {
		for range w.ResultChan() {
		}
	}()
}

// shapes are how controller-runtime holds an object. Each has informers of its own.
var shapes = map[string]func(kind string) client.Object{
	"typed": func(kind string) client.Object {
		if kind == "Secret" {
			return &corev1.Secret{}
		}
		return &corev1.ConfigMap{}
	},
	"metadata": func(kind string) client.Object {
		return &metav1.PartialObjectMetadata{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: kind}}
	},
	"unstructured": func(kind string) client.Object {
		return &unstructured.Unstructured{Object: map[string]any{"apiVersion": "v1", "kind": kind}}
	},
}

// follower reconciles: the annotation "have" follows the annotation "want". It reads from the manager's cache.
type follower struct {
	client client.Client
	fresh  func(kind string) client.Object
	called chan struct{} // of one element: it was, since this was last taken

	mu   sync.Mutex
	seen map[string]string // by name: what was wanted, or "gone", when it was last reconciled
}

func (f *follower) Reconcile(ctx context.Context, request reconcile.Request) (reconcile.Result, error) {
	defer func() {
		select {
		case f.called <- struct{}{}:
		default:
		}
	}()
	object, want := f.fresh("ConfigMap"), "gone"
	err := f.client.Get(ctx, request.NamespacedName, object)
	if err == nil {
		annotations := object.GetAnnotations()
		want = annotations["want"]
		if annotations["have"] != want {
			before := object.DeepCopyObject().(client.Object)
			annotations["have"] = want
			object.SetAnnotations(annotations)
			err = f.client.Patch(ctx, object, client.MergeFrom(before))
		}
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.seen[request.Name] = want
	return reconcile.Result{}, client.IgnoreNotFound(err)
}

// saw is what was wanted of an object when it was last reconciled, "gone", or "".
func (f *follower) saw(name string) string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.seen[name]
}

// managed is a namespace in which a manager of controller-runtime's runs a follower on informers of ours.
type managed struct {
	t        *testing.T
	set      kubernetes.Interface
	shape    func(kind string) client.Object
	shop     workshop
	manager  ctrl.Manager
	control  controller.Controller
	follower *follower
	in       string // the namespace
}

func newManaged(t *testing.T, shape func(kind string) client.Object) *managed {
	c := cluster.New(t)
	access := kube.RESTConfig(t, c.Cluster)
	m := &managed{t: t, set: kube.Clientset(t, access), shape: shape, in: c.Namespace}
	var err error
	m.manager, err = ctrl.NewManager(access, ctrl.Options{
		Logger:     logr.Discard(),
		Metrics:    server.Options{BindAddress: "0"},
		Controller: config.Controller{SkipNameValidation: ptr.To(true)}, // each test has one of this name
		Client:     client.Options{Cache: &client.CacheOptions{Unstructured: true}},
		Cache: ctrlcache.Options{
			NewInformer:          m.shop.informer,
			DefaultFieldSelector: fields.OneTermEqualSelector("metadata.namespace", c.Namespace),
		},
	})
	require.NoError(t, err)
	t.Cleanup(func() { utilnet.CloseIdleConnectionsFor(m.manager.GetHTTPClient().Transport) })
	require.NoError(t, m.manager.GetFieldIndexer().IndexField(t.Context(), shape("ConfigMap"), "want",
		func(o client.Object) []string { return []string{o.GetAnnotations()["want"]} }))

	m.follower = &follower{client: m.manager.GetClient(), fresh: shape, called: make(chan struct{}, 1),
		seen: map[string]string{}}
	m.control, err = controller.New("follower", m.manager, controller.Options{Reconciler: m.follower})
	require.NoError(t, err)
	mine := predicate.NewPredicateFuncs(func(o client.Object) bool { return o.GetLabels()["of"] == "the-test" })
	require.NoError(t, m.control.Watch(source.Kind(m.manager.GetCache(), shape("ConfigMap"),
		&handler.EnqueueRequestForObject{}, mine)))
	return m
}

// start starts the manager. The stop that it returns waits for its end.
func (m *managed) start() (stop func()) {
	ctx, cancel := context.WithCancel(m.t.Context())
	ended := make(chan error, 1)
	go func() { ended <- m.manager.Start(ctx) }()
	require.True(m.t, m.manager.GetCache().WaitForCacheSync(ctx)) // reads fail before
	return func() {
		cancel()
		require.NoError(m.t, <-ended)
	}
}

// put writes a ConfigMap, past the manager.
func (m *managed) put(name, of, want string) {
	m.t.Helper()
	object := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: name,
		Labels: map[string]string{"of": of}, Annotations: map[string]string{"want": want}}}
	maps := m.set.CoreV1().ConfigMaps(m.in)
	_, err := maps.Create(m.t.Context(), object, metav1.CreateOptions{})
	if apierrors.IsAlreadyExists(err) {
		_, err = maps.Update(m.t.Context(), object, metav1.UpdateOptions{}) // which takes "have" away
	}
	require.NoError(m.t, err)
}

// has is the annotation "have" in the manager's cache, "gone" without the object.
func (m *managed) has(name string) string {
	object := m.shape("ConfigMap")
	err := m.manager.GetClient().Get(m.t.Context(), client.ObjectKey{Namespace: m.in, Name: name}, object)
	if apierrors.IsNotFound(err) {
		return "gone"
	}
	require.NoError(m.t, err)
	return object.GetAnnotations()["have"]
}

// names lists those in the manager's cache that want something, by the index.
func (m *managed) names(want string) (names []string) {
	list := &unstructured.UnstructuredList{}
	var objects client.ObjectList = &corev1.ConfigMapList{}
	switch m.shape("ConfigMap").(type) {
	case *metav1.PartialObjectMetadata:
		objects = &metav1.PartialObjectMetadataList{}
		objects.GetObjectKind().SetGroupVersionKind(corev1.SchemeGroupVersion.WithKind("ConfigMapList"))
	case *unstructured.Unstructured:
		list.SetGroupVersionKind(corev1.SchemeGroupVersion.WithKind("ConfigMapList"))
		objects = list
	}
	require.NoError(m.t, m.manager.GetClient().List(m.t.Context(), objects, client.InNamespace(m.in),
		client.MatchingFields{"want": want}))
	require.NoError(m.t, meta.EachListItem(objects, func(o runtime.Object) error {
		names = append(names, o.(client.Object).GetName())
		return nil
	}))
	return names
}

// until waits until the condition holds. It is looked at when something was reconciled.
func (m *managed) until(what string, holds func() bool) {
	m.t.Helper()
	for limit := time.After(30 * time.Second); !holds(); {
		select {
		case <-m.follower.called:
		case <-limit:
			m.t.Fatalf("after 30 s: %s", what)
		}
	}
}

// TestAManagerRunsOnOurInformer gives ours to a manager of controller-runtime's, through cache.Options.NewInformer. A
// reconciler hears of creations, changes and deletions, and its client reads from our store, in each shape in which
// controller-runtime holds objects.
func TestAManagerRunsOnOurInformer(t *testing.T) {
	ctrllog.SetLogger(logr.Discard()) // or it complains on stderr, after 30 s
	for name, shape := range shapes {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := newManaged(t, shape)
			m.put("a", "the-test", "1")
			m.put("b", "the-test", "1")
			m.put("other", "somebody", "1")
			stop := m.start()
			m.until("a and b were there before", func() bool { return m.has("a") == "1" && m.has("b") == "1" })
			require.ElementsMatch(t, []string{"a", "b", "other"}, m.names("1"))

			m.put("a", "the-test", "2")
			m.put("c", "the-test", "2")
			require.NoError(t, m.set.CoreV1().ConfigMaps(m.in).Delete(t.Context(), "b", metav1.DeleteOptions{}))
			m.until("a has changed, c is new, b is gone", func() bool {
				return m.has("a") == "2" && m.has("c") == "2" && m.follower.saw("b") == "gone"
			})
			require.Equal(t, "gone", m.has("b"))
			require.ElementsMatch(t, []string{"a", "c"}, m.names("2"))
			require.Equal(t, []string{"other"}, m.names("1"))
			require.Empty(t, m.follower.saw("other"), "the predicate leaves it out")

			made := m.shop.all()
			require.Len(t, made, 1, "one informer for the index, the watch and the reads")
			got, err := m.manager.GetCache().GetInformer(t.Context(), shape("ConfigMap"))
			require.NoError(t, err)
			require.Same(t, made[0], got, "it is ours")
			require.EqualValues(t, 1, m.shop.buffers.Load(), "one handler: that of the watch")
			m.late()
			stop()
			require.Zero(t, m.shop.buffers.Load(), "all handlers have ended")
			for _, i := range m.shop.all() {
				require.True(t, i.IsStopped(), "%s is still running", i.HasSyncedChecker().Name())
			}
		})
	}
}

// late watches another kind, whose informer the running manager makes and starts, and removes it again.
func (m *managed) late() {
	t := m.t
	_, err := m.set.CoreV1().Secrets(m.in).Create(t.Context(),
		&corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: "late"}}, metav1.CreateOptions{})
	require.NoError(t, err)
	secret := m.shape("Secret")
	require.NoError(t, m.manager.GetClient().Get(t.Context(), client.ObjectKey{Namespace: m.in, Name: "late"}, secret),
		"the first read makes the informer and waits for it")
	made := m.shop.all()
	require.Len(t, made, 2)
	require.True(t, made[1].HasSynced())

	require.NoError(t, m.control.Watch(source.Kind(m.manager.GetCache(), m.shape("Secret"),
		handler.EnqueueRequestsFromMapFunc(func(_ context.Context, o client.Object) []reconcile.Request {
			return []reconcile.Request{{NamespacedName: client.ObjectKey{Namespace: m.in, Name: "of-" + o.GetName()}}}
		}))))
	m.until("the secret was there before its handler", func() bool { return m.follower.saw("of-late") == "gone" })

	registered, err := made[1].AddEventHandler(cache.ResourceEventHandlerFuncs{})
	require.NoError(t, err)
	require.NoError(t, m.manager.GetCache().RemoveInformer(t.Context(), m.shape("Secret")))
	<-registered.(*informer.Registration).ShutdownChan()
	require.True(t, made[1].IsStopped())
	require.False(t, made[0].IsStopped(), "the other one goes on")
}
