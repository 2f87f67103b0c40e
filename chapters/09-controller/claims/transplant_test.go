package claims

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/go-logr/logr"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	utilnet "k8s.io/apimachinery/pkg/util/net"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"
	"k8s.io/utils/ptr"
	ctrl "sigs.k8s.io/controller-runtime"
	ctrlcache "sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/config"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	ctrllog "sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
	ctrlsource "sigs.k8s.io/controller-runtime/pkg/source"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/09-controller/mirror"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/09-controller/mirror/mirrortest/crash"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit/kube"
)

// ctrlQueue is what controller-runtime has between an event and a reconciler.
type ctrlQueue = workqueue.TypedRateLimitingInterface[reconcile.Request]

// ctrlClient is what a run reads and writes with, over a client of controller-runtime's, which reads from a cache and
// writes to the API server. It implements mirror.Reader, mirror.Relations and mirror.Writer.
type ctrlClient struct {
	t *testing.T
	client.Client
}

func (c ctrlClient) Asks(namespace string) bool {
	var n corev1.Namespace
	err := c.Client.Get(c.t.Context(), client.ObjectKey{Name: namespace}, &n)
	return err == nil && n.DeletionTimestamp == nil
}

func (c ctrlClient) Get(place mirror.Key) (*corev1.ConfigMap, bool) {
	var m corev1.ConfigMap
	err := c.Client.Get(c.t.Context(), client.ObjectKey{Namespace: place.Namespace, Name: place.Name}, &m)
	return &m, err == nil
}

func (c ctrlClient) Sources(name string) (all []*corev1.ConfigMap) {
	for _, m := range c.configMaps(mirror.Source) {
		if m.Name == name {
			all = append(all, m)
		}
	}
	return all
}

func (c ctrlClient) Namespaces(name string) (all []string) {
	var list corev1.NamespaceList
	if err := c.List(c.t.Context(), &list); err != nil {
		return nil // the cache has stopped
	}
	for _, n := range list.Items {
		all = append(all, n.Name)
	}
	for _, m := range c.configMaps(mirror.Mirror) {
		if m.Name == name {
			all = append(all, m.Namespace)
		}
	}
	return all
}

func (c ctrlClient) Names(namespace string) (all []string) {
	for _, m := range c.configMaps(mirror.Source) {
		all = append(all, m.Name)
	}
	for _, m := range c.configMaps(mirror.Mirror) {
		if m.Namespace == namespace {
			all = append(all, m.Name)
		}
	}
	return all
}

func (c ctrlClient) configMaps(role string) (all []*corev1.ConfigMap) {
	var list corev1.ConfigMapList
	if err := c.List(c.t.Context(), &list, client.MatchingLabels{mirror.Role: role}); err != nil {
		return nil
	}
	for i := range list.Items {
		all = append(all, &list.Items[i])
	}
	return all
}

func (c ctrlClient) Create(ctx context.Context, m *corev1.ConfigMap) error {
	return c.Client.Create(ctx, m)
}

func (c ctrlClient) Update(ctx context.Context, m *corev1.ConfigMap) error {
	return c.Client.Update(ctx, m)
}

func (c ctrlClient) Delete(ctx context.Context, place mirror.Key, only metav1.Preconditions) error {
	m := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: place.Namespace, Name: place.Name}}
	return c.Client.Delete(ctx, m, client.Preconditions(only))
}

// newManager makes a manager whose cache has what is in the group.
func newManager(t *testing.T, w *crash.World) ctrl.Manager {
	t.Helper()
	ctrllog.SetLogger(logr.Discard()) // or it complains on stderr, after 30 s
	manager, err := ctrl.NewManager(kube.RESTConfig(t, w.Cluster.Cluster), ctrl.Options{
		Logger:     logr.Discard(),
		Metrics:    server.Options{BindAddress: "0"},
		Controller: config.Controller{SkipNameValidation: ptr.To(true)},
		Cache:      ctrlcache.Options{DefaultLabelSelector: labels.SelectorFromSet(labels.Set{mirror.Group: w.Group})},
	})
	require.NoError(t, err)
	t.Cleanup(func() { utilnet.CloseIdleConnectionsFor(manager.GetHTTPClient().Transport) })
	return manager
}

// heard has a handler told of both kinds by a manager's cache.
func heard(ctx context.Context, c ctrlcache.Cache, h cache.ResourceEventHandler) error {
	for _, example := range []client.Object{&corev1.ConfigMap{}, &corev1.Namespace{}} {
		informer, err := c.GetInformer(ctx, example)
		if err != nil {
			return err
		}
		if _, err := informer.AddEventHandler(h); err != nil {
			return err
		}
	}
	return nil
}

// TestAManagerRunsOurRun gives the handler and the run to a controller of controller-runtime's: its cache is read, its
// queue is filled, its workers call the run, and its client writes.
func TestAManagerRunsOurRun(t *testing.T) {
	w := crash.New(t)
	manager := newManager(t, w)
	over := ctrlClient{t, manager.GetClient()}
	runs, err := controller.New("mirror", manager, controller.Options{MaxConcurrentReconciles: 2,
		RateLimiter: workqueue.NewTypedItemExponentialFailureRateLimiter[reconcile.Request](5*time.Millisecond,
			time.Minute),
		Reconciler: reconcile.Func(func(ctx context.Context, r reconcile.Request) (reconcile.Result, error) {
			return reconcile.Result{}, mirror.Reconcile(ctx, mirror.Key{Namespace: r.Namespace, Name: r.Name}, over,
				over)
		})})
	require.NoError(t, err)
	require.NoError(t, runs.Watch(ctrlsource.Func(func(ctx context.Context, queue ctrlQueue) error {
		return heard(ctx, manager.GetCache(), mirror.NewHandler(over, func(place mirror.Key) {
			queue.Add(request(place))
		}))
	})))
	background(t, manager.Start)
	w.Trouble()
}

// TestOurControllerRunsAReconciler gives a reconciler that somebody has written for controller-runtime to this
// chapter's informers, queue and workers. Its client reads from the API server.
func TestOurControllerRunsAReconciler(t *testing.T) {
	w := crash.New(t)
	access := kube.RESTConfig(t, w.Cluster.Cluster)
	transport, err := rest.HTTPClientFor(access)
	require.NoError(t, err)
	t.Cleanup(func() { utilnet.CloseIdleConnectionsFor(transport.Transport) })
	over, err := client.New(access, client.Options{HTTPClient: transport})
	require.NoError(t, err)
	reconciler := mirroring{over, w.Group}
	parts := mirror.Book()
	parts.Reconcile = func(ctx context.Context, place mirror.Key, _ mirror.Reader, _ mirror.Writer) error {
		_, err := reconciler.Reconcile(ctx, request(place))
		return err
	}
	ours, err := mirror.New(w.Set, mirror.Options{Group: w.Group, Parts: parts, Report: func(mirror.Key, error) {}})
	require.NoError(t, err)
	background(t, ours.Run)
	w.Trouble()
}

func request(place mirror.Key) reconcile.Request {
	return reconcile.Request{NamespacedName: client.ObjectKey{Namespace: place.Namespace, Name: place.Name}}
}

// mirroring is a reconciler as one writes it for controller-runtime, without this chapter's run.
type mirroring struct {
	client.Client
	group string
}

func (m mirroring) Reconcile(ctx context.Context, r reconcile.Request) (reconcile.Result, error) {
	source, err := m.source(ctx, r)
	if err != nil {
		return reconcile.Result{}, err
	}
	object := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: r.Namespace, Name: r.Name}}
	if source == nil {
		return reconcile.Result{}, m.remove(ctx, r)
	}
	_, err = controllerutil.CreateOrUpdate(ctx, m.Client, object, func() error {
		if object.UID != "" && object.Labels[mirror.Role] != mirror.Mirror {
			return errors.New("somebody else's")
		}
		object.Labels = labels.Merge(object.Labels, labels.Set{mirror.Group: m.group, mirror.Role: mirror.Mirror})
		object.Annotations = labels.Merge(object.Annotations,
			labels.Set{mirror.Of: source.Namespace + "/" + source.Name})
		object.Data, object.BinaryData = source.Data, source.BinaryData
		return nil
	})
	return reconcile.Result{}, err
}

// source is that of the mirror that should stand there, or nil.
func (m mirroring) source(ctx context.Context, r reconcile.Request) (first *corev1.ConfigMap, err error) {
	var namespace corev1.Namespace
	if err := m.Get(ctx, client.ObjectKey{Name: r.Namespace}, &namespace); err != nil {
		return nil, client.IgnoreNotFound(err)
	}
	if namespace.Labels[mirror.Group] != m.group || namespace.DeletionTimestamp != nil {
		return nil, nil
	}
	var sources corev1.ConfigMapList
	if err := m.List(ctx, &sources, client.MatchingLabels{mirror.Group: m.group,
		mirror.Role: mirror.Source}); err != nil {
		return nil, err
	}
	for i := range sources.Items {
		switch s := &sources.Items[i]; {
		case s.Name != r.Name:
		case s.Namespace == r.Namespace:
			return nil, nil
		case first == nil || s.Namespace < first.Namespace:
			first = s
		}
	}
	return first, nil
}

// remove deletes the mirror that stands there, if one does.
func (m mirroring) remove(ctx context.Context, r reconcile.Request) error {
	var standing corev1.ConfigMap
	err := m.Get(ctx, r.NamespacedName, &standing)
	if err != nil || standing.Labels[mirror.Role] != mirror.Mirror || standing.Labels[mirror.Group] != m.group {
		return client.IgnoreNotFound(err)
	}
	return client.IgnoreNotFound(m.Client.Delete(ctx, &standing, client.Preconditions{UID: &standing.UID,
		ResourceVersion: &standing.ResourceVersion}))
}
