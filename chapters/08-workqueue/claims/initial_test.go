package claims

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"github.com/go-logr/logr"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	utilnet "k8s.io/apimachinery/pkg/util/net"
	upstream "k8s.io/client-go/util/workqueue"
	"k8s.io/utils/ptr"
	ctrl "sigs.k8s.io/controller-runtime"
	ctrlcache "sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/config"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
	"sigs.k8s.io/controller-runtime/pkg/source"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit/cluster"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit/kube"
)

// gated is a reconciler whose first call waits.
type gated struct {
	begun, open, called chan struct{}
	mu                  sync.Mutex
	order               []string
}

func (g *gated) Reconcile(_ context.Context, r reconcile.Request) (reconcile.Result, error) {
	g.mu.Lock()
	g.order = append(g.order, r.Name)
	first := len(g.order) == 1
	g.mu.Unlock()
	if first {
		close(g.begun)
		<-g.open
	}
	g.called <- struct{}{}
	return reconcile.Result{}, nil
}

// announced is a handler that tells of each object which it has added.
type announced struct {
	handler.EventHandler
	informed chan string
}

func (n *announced) Create(ctx context.Context, e event.CreateEvent,
	q upstream.TypedRateLimitingInterface[reconcile.Request]) {
	n.EventHandler.Create(ctx, e, q)
	n.informed <- e.Object.GetName()
}

// On the API server: a controller starts where ten objects are, and one is made while it is busy with the first. With
// the queue that it has by default the new one is next, and before the other nine. With client-go's it is last.
//
// covers: C-22
func TestANewObjectPassesTheInitialList(t *testing.T) {
	for _, prioritized := range []*bool{nil, ptr.To(false)} {
		c := cluster.New(t)
		access := kube.RESTConfig(t, c.Cluster)
		maps := kube.Clientset(t, access).CoreV1().ConfigMaps(c.Namespace)
		create := func(name string) {
			_, err := maps.Create(t.Context(), &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: name,
				Labels: map[string]string{"of": "the-test"}}}, metav1.CreateOptions{})
			require.NoError(t, err)
		}
		for n := range 10 {
			create(fmt.Sprint("old", n))
		}
		g := &gated{begun: make(chan struct{}), open: make(chan struct{}), called: make(chan struct{}, 100)}
		informed, stop := managedBy(t, c, g, prioritized)
		<-g.begun
		create("new")
		for name := ""; name != "new"; name = <-informed {
		}
		close(g.open)
		for range 11 {
			<-g.called
		}
		stop()
		if prioritized == nil {
			require.NotEqual(t, "new", g.order[10], "the order of adding would have been the belief")
			require.Equal(t, "new", g.order[1])
		} else {
			require.Equal(t, "new", g.order[10])
		}
	}
}

// managedBy runs a reconciler in a manager of controller-runtime's. informed has the name of each object that has come
// into its queue.
func managedBy(t *testing.T, c *cluster.Cluster, g *gated, prioritized *bool) (informed chan string, stop func()) {
	t.Helper()
	manager, err := ctrl.NewManager(kube.RESTConfig(t, c.Cluster), ctrl.Options{
		Logger:     logr.Discard(),
		Metrics:    server.Options{BindAddress: "0"},
		Controller: config.Controller{SkipNameValidation: ptr.To(true), UsePriorityQueue: prioritized},
		Cache: ctrlcache.Options{
			DefaultFieldSelector: fields.OneTermEqualSelector("metadata.namespace", c.Namespace),
		},
	})
	require.NoError(t, err)
	t.Cleanup(func() { utilnet.CloseIdleConnectionsFor(manager.GetHTTPClient().Transport) })
	control, err := controller.New("tour", manager, controller.Options{Reconciler: g})
	require.NoError(t, err)
	informed = make(chan string, 100)
	mine := predicate.NewPredicateFuncs(func(o client.Object) bool { return o.GetLabels()["of"] == "the-test" })
	require.NoError(t, control.Watch(source.Kind(manager.GetCache(), client.Object(&corev1.ConfigMap{}),
		&announced{EventHandler: &handler.EnqueueRequestForObject{}, informed: informed}, mine)))
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- manager.Start(ctx) }()
	return informed, func() {
		cancel()
		require.NoError(t, <-ended)
	}
}
