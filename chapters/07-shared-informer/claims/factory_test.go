package claims

import (
	"context"
	"io"
	"net"
	"net/http"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	utilnet "k8s.io/apimachinery/pkg/util/net"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/dynamic/dynamicinformer"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/metadata/metadatainformer"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit/cluster"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit/kube"
)

// counted is the cluster for client-go, with what was asked of it and the connections that this took.
type counted struct {
	*cluster.Cluster
	kubernetes.Interface
	config *rest.Config
	client *http.Client
	end    context.Context // ends what runs
	cancel context.CancelFunc

	gate sync.RWMutex // locked, watches are silent

	mu    sync.Mutex
	asked []string // the paths, those of watches with ?watch
	open  int      // connections
}

// connection is one of them.
type connection struct {
	net.Conn
	closed func()
}

func (c connection) Close() error {
	c.closed()
	return c.Conn.Close()
}

// gated is the body of a watch.
type gated struct {
	io.ReadCloser
	gate *sync.RWMutex
}

func (g gated) Read(p []byte) (int, error) {
	read, err := g.ReadCloser.Read(p)
	g.gate.RLock()
	defer g.gate.RUnlock()
	return read, err
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func newCounted(t *testing.T) *counted {
	t.Helper()
	n := &counted{Cluster: cluster.New(t)}
	n.end, n.cancel = context.WithCancel(context.Background())
	n.config = kube.RESTConfig(t, n.Cluster.Cluster)
	dial := n.config.Dial
	n.config.Dial = func(ctx context.Context, network, address string) (net.Conn, error) {
		dialled, err := dial(ctx, network, address)
		if err != nil {
			return nil, err
		}
		n.count(1)
		return connection{dialled, sync.OnceFunc(func() { n.count(-1) })}, nil
	}
	n.config.Wrap(func(next http.RoundTripper) http.RoundTripper {
		return roundTripper(func(r *http.Request) (*http.Response, error) {
			what, watches := r.URL.Path, r.URL.Query().Get("watch") != ""
			if watches {
				what += "?watch"
			}
			n.mu.Lock()
			n.asked = append(n.asked, what)
			n.mu.Unlock()
			answer, err := next.RoundTrip(r)
			if err == nil && watches {
				answer.Body = gated{answer.Body, &n.gate}
			}
			return answer, err
		})
	})
	var err error
	n.client, err = rest.HTTPClientFor(n.config)
	require.NoError(t, err)
	t.Cleanup(func() { utilnet.CloseIdleConnectionsFor(n.client.Transport) })
	n.Interface, err = kubernetes.NewForConfigAndClient(n.config, n.client)
	require.NoError(t, err)
	return n
}

func (n *counted) requests() []string {
	n.mu.Lock()
	defer n.mu.Unlock()
	return slices.Clone(n.asked)
}

func (n *counted) count(opened int) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.open += opened
}

// connected waits until so many connections are open: what is dialled at the same moment, and not needed, is closed
// soon.
func (n *counted) connected(t *testing.T, want int) {
	t.Helper()
	require.Eventually(t, func() bool {
		n.mu.Lock()
		defer n.mu.Unlock()
		return n.open == want
	}, 10*time.Second, time.Millisecond, "%d connections", want)
}

// create creates a ConfigMap.
func (n *counted) create(t *testing.T, name string) *corev1.ConfigMap {
	t.Helper()
	made, err := n.CoreV1().ConfigMaps(n.Namespace).Create(t.Context(),
		&corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: name}, Data: map[string]string{"cups": "1"}},
		metav1.CreateOptions{})
	require.NoError(t, err)
	return made
}

func (n *counted) factory(resync time.Duration) informers.SharedInformerFactory {
	return informers.NewSharedInformerFactoryWithOptions(n, resync, informers.WithNamespace(n.Namespace))
}

// run starts a factory, waits until its stores are filled, and ends it with the test.
func (n *counted) run(t *testing.T, f informers.SharedInformerFactory) {
	t.Helper()
	t.Cleanup(func() { n.cancel(); f.Shutdown() })
	f.StartWithContext(n.end)
	soon, enough := context.WithTimeout(t.Context(), 30*time.Second)
	defer enough()
	require.NoError(t, f.WaitForCacheSyncWithContext(soon).AsError())
}

// A factory knows the informers that were asked for, by Informer or Lister. What only names a kind registers nothing,
// and Start starts nothing; it is called again for what is asked for later.
//
// covers: B-50
func TestAFactoryStartsWhatWasAskedFor(t *testing.T) {
	n := newCounted(t)
	factory := n.factory(0)
	one, two := factory.Apps().V1().Deployments(), factory.Apps().V1().Deployments()
	require.NotSame(t, one, two, "the same instance would have been the belief")
	n.run(t, factory)
	require.Empty(t, factory.WaitForCacheSyncWithContext(t.Context()).Synced)
	require.Empty(t, n.requests())

	informer := one.Informer()
	require.False(t, informer.HasSynced())
	require.Empty(t, n.requests(), "before Start")
	n.run(t, factory)
	two.Lister()
	n.run(t, factory)
	require.True(t, informer.HasSynced())
	require.Equal(t, []string{"/apis/apps/v1/namespaces/" + n.Namespace + "/deployments?watch"}, n.requests())
}

// Informer returns another wrapper at each call, of one and the same informer: compare stores, not informers. What one
// wrapper has registered the other removes.
//
// covers: B-101 B-50
func TestAFactoryHandsOutWrappers(t *testing.T) {
	factory := informers.NewSharedInformerFactory(nil, 0)
	one, two := factory.Core().V1().ConfigMaps().Informer(), factory.Core().V1().ConfigMaps().Informer()
	require.NotSame(t, one, two, "one shared informer would have been the belief")
	require.Len(t, map[cache.SharedIndexInformer]bool{one: true, two: true}, 2)
	require.Same(t, one.GetStore(), two.GetStore())
	var h diary
	registration, err := one.AddEventHandler(h.handler(""))
	require.NoError(t, err)
	require.NoError(t, two.RemoveEventHandler(registration))
	require.NoError(t, cache.ShutDownEventHandler(one, registration), "it has ended")
}

// One factory has one watch and one copy of each object, for as many as ask. Two factories have two of each.
//
// covers: S3-07 S2-04
func TestConsumersOfAFactoryShare(t *testing.T) {
	n := newCounted(t)
	n.create(t, "a")
	read := func(f informers.SharedInformerFactory) *corev1.ConfigMap {
		read, err := f.Core().V1().ConfigMaps().Lister().ConfigMaps(n.Namespace).Get("a")
		require.NoError(t, err)
		return read
	}
	factory, other := n.factory(0), n.factory(0)
	before := len(n.requests())
	told := make(chan *corev1.ConfigMap, 10)
	for range 3 {
		_, err := factory.Core().V1().ConfigMaps().Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
			AddFunc: func(o any) {
				if o := o.(*corev1.ConfigMap); o.Name == "a" {
					told <- o
				}
			}})
		require.NoError(t, err)
	}
	n.run(t, factory)
	require.Len(t, n.requests()[before:], 1)
	for range 3 {
		require.Same(t, read(factory), <-told, "one object, whoever reads it")
	}
	other.Core().V1().ConfigMaps().Lister()
	n.run(t, other)
	require.Len(t, n.requests()[before:], 2)
	require.NotSame(t, read(factory), read(other))
}

// Watches are streams of one HTTP/2 connection. A second informer costs the server and the memory, but no connection,
// until a connection has a hundred.
//
// covers: B-51
func TestManyWatchesAreOneConnection(t *testing.T) {
	n := newCounted(t)
	factory := n.factory(0)
	for _, informer := range []cache.SharedIndexInformer{factory.Core().V1().ConfigMaps().Informer(),
		factory.Core().V1().Secrets().Informer(), factory.Core().V1().Pods().Informer(),
		factory.Apps().V1().Deployments().Informer(), factory.Apps().V1().ReplicaSets().Informer(),
		factory.Batch().V1().Jobs().Informer()} {
		require.False(t, informer.HasSynced())
	}
	n.run(t, factory)
	open := func(watches int) {
		for range watches {
			w, err := n.CoreV1().ConfigMaps(n.Namespace).Watch(t.Context(), metav1.ListOptions{})
			require.NoError(t, err)
			t.Cleanup(w.Stop)
		}
	}
	open(30)
	n.connected(t, 1) // one for each would have been the belief
	open(64)
	n.connected(t, 1)
	open(1)
	n.connected(t, 2) // the server takes a hundred streams a connection
}

// A resync of the informers of a factory sends no request.
//
// covers: B-57 B-36
func TestAResyncIsNoRequest(t *testing.T) {
	n := newCounted(t)
	n.create(t, "a")
	factory := n.factory(time.Second)
	updates := make(chan bool, 100)
	_, err := factory.Core().V1().ConfigMaps().Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
		UpdateFunc: func(old, o any) {
			if o.(*corev1.ConfigMap).Name == "a" {
				updates <- old == o
			}
		}})
	require.NoError(t, err)
	before := len(n.requests())
	n.run(t, factory)
	require.True(t, <-updates, "from itself to itself")
	require.True(t, <-updates)
	require.Len(t, n.requests()[before:], 1, "the watch")
}

// There are informers without types, of any resource whose path is known, and of metadata alone: what a server sends of
// an object then has no data.
//
// covers: C-18
func TestInformersWithoutTypes(t *testing.T) {
	n := newCounted(t)
	n.create(t, "a")
	configMaps := corev1.SchemeGroupVersion.WithResource("configmaps")
	untyped, err := dynamic.NewForConfigAndClient(n.config, n.client)
	require.NoError(t, err)
	meta, err := metadata.NewForConfigAndClient(n.config, n.client)
	require.NoError(t, err)
	all := dynamicinformer.NewFilteredDynamicSharedInformerFactory(untyped, 0, n.Namespace, nil)
	names := metadatainformer.NewFilteredSharedInformerFactory(meta, 0, n.Namespace, nil)
	objects, metas := all.ForResource(configMaps).Lister(), names.ForResource(configMaps).Lister()
	t.Cleanup(func() { n.cancel(); all.Shutdown(); names.Shutdown() })
	all.Start(n.end.Done())
	names.Start(n.end.Done())
	require.Equal(t, map[schema.GroupVersionResource]bool{configMaps: true}, all.WaitForCacheSync(t.Context().Done()))
	require.Equal(t, map[schema.GroupVersionResource]bool{configMaps: true}, names.WaitForCacheSync(t.Context().Done()))
	object, err := objects.ByNamespace(n.Namespace).Get("a")
	require.NoError(t, err)
	require.Contains(t, object.(*unstructured.Unstructured).Object, "data")
	described, err := metas.ByNamespace(n.Namespace).Get("a")
	require.NoError(t, err)
	require.IsType(t, &metav1.PartialObjectMetadata{}, described)
}
