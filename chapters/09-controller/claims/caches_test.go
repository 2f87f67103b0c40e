package claims

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	utilnet "k8s.io/apimachinery/pkg/util/net"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/09-controller/mirror"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/09-controller/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit/cluster"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit/kube"
)

// asked passes on what goes through a transport, and tells of each request first: "GET configmaps, a watch".
type asked struct {
	next http.RoundTripper
	all  chan string // with room for more than are expected
}

func (a *asked) RoundTrip(r *http.Request) (*http.Response, error) {
	what := r.Method + " " + r.URL.Path[strings.LastIndexByte(r.URL.Path, '/')+1:]
	if r.URL.Query().Get("watch") != "" {
		what += ", a watch"
	}
	a.all <- what
	return a.next.RoundTrip(r)
}

// A controller reads its caches, which two watches keep, and writes to the API server. Twenty runs that each need a
// source, a namespace and a mirror ask for none of them.
//
// covers: S3-06
func TestReadsAreLocalAndWritesAreNot(t *testing.T) {
	const dishes = 20
	c := cluster.New(t)
	access := kube.RESTConfig(t, c.Cluster)
	set := kube.Clientset(t, access)
	_, err := c.Beside(t.Context(), "north", map[string]string{mirror.Group: c.Namespace})
	require.NoError(t, err)
	for i := range dishes {
		menu := source("", fmt.Sprint("menu-", i), "soup")
		menu.Labels[mirror.Group] = c.Namespace
		_, err := set.CoreV1().ConfigMaps(c.Namespace).Create(t.Context(), menu, metav1.CreateOptions{})
		require.NoError(t, err)
	}
	passed := make(chan string, 10*dishes)
	over := wrapped(t, access, func(next http.RoundTripper) http.RoundTripper { return &asked{next, passed} })
	controller, err := mirror.New(over, mirror.Options{Group: c.Namespace, Parts: mirror.ClientGo()})
	require.NoError(t, err)
	stop := background(t, controller.Run)
	var all []string
	for len(all) < 2+dishes {
		select {
		case what := <-passed:
			all = append(all, what)
		case <-time.After(30 * time.Second):
			t.Fatalf("half a minute after the last of these nothing came: %v", all)
		}
	}
	stop()
	close(passed)
	for what := range passed {
		all = append(all, what)
	}
	require.ElementsMatch(t, slices.Concat([]string{"GET configmaps, a watch", "GET namespaces, a watch"},
		slices.Repeat([]string{"POST configmaps"}, dishes)), all)
}

// What happened first may be told last: nothing orders two watches. Here the namespaces' is slow.
//
// covers: S2-02 S1-22
func TestNothingOrdersTwoWatches(t *testing.T) {
	c := cluster.New(t)
	access := kube.RESTConfig(t, c.Cluster)
	set := kube.Clientset(t, access)
	var late *scenario.Hold
	over := wrapped(t, access, func(next http.RoundTripper) http.RoundTripper {
		late = scenario.HoldNow(next, "namespaces")
		return late
	})
	t.Cleanup(func() { late.Release() })
	_, err := c.Beside(t.Context(), "north", map[string]string{mirror.Group: c.Namespace})
	require.NoError(t, err)
	first := source("", "menu", "soup")
	first.Labels[mirror.Group] = c.Namespace
	_, err = set.CoreV1().ConfigMaps(c.Namespace).Create(t.Context(), first, metav1.CreateOptions{})
	require.NoError(t, err)

	told := make(chan string, 10)
	factory := informers.NewSharedInformerFactoryWithOptions(over, 0,
		informers.WithTweakListOptions(func(o *metav1.ListOptions) {
			o.LabelSelector = mirror.Group + "=" + c.Namespace
		}))
	core := factory.Core().V1()
	for _, i := range []cache.SharedIndexInformer{core.Namespaces().Informer(), core.ConfigMaps().Informer()} {
		_, err := i.AddEventHandler(cache.ResourceEventHandlerFuncs{AddFunc: func(o any) {
			switch o.(type) {
			case *corev1.Namespace:
				told <- "the namespace"
			case *corev1.ConfigMap:
				told <- "the ConfigMap"
			}
		}})
		require.NoError(t, err)
	}
	factory.StartWithContext(t.Context()) // which returns at once: nothing is filled yet
	t.Cleanup(factory.Shutdown)
	require.False(t, core.Namespaces().Informer().HasSynced())
	require.Equal(t, "the ConfigMap", <-told)
	require.Empty(t, told)
	late.Release()
	require.Equal(t, "the namespace", <-told, "it was there before the ConfigMap")
}

// Whichever of the two handlers is told first, the mirror is made by the run that the second leads to.
//
// covers: S2-02
func TestWhoIsToldSecondFindsTheFirst(t *testing.T) {
	menu := source("home", "menu", "soup")
	asking := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "north"}}
	p := written(nil)
	handler := mirror.NewHandler(p, func(key mirror.Key) { p.run(t, key) })
	steps := []func(){
		func() { p.put(menu); handler.OnAdd(menu, false) },
		func() { p.asks["north"] = true; handler.OnAdd(asking, false) },
	}
	for _, order := range [][2]int{{0, 1}, {1, 0}} {
		*p = *written(nil)
		steps[order[0]]()
		require.Empty(t, p.writes)
		steps[order[1]]()
		require.Equal(t, []string{"create north/menu"}, p.writes)
	}
}

// wrapped is a client whose requests pass a transport.
func wrapped(t *testing.T, access *rest.Config, with func(http.RoundTripper) http.RoundTripper) kubernetes.Interface {
	t.Helper()
	over, err := rest.HTTPClientFor(access)
	require.NoError(t, err)
	t.Cleanup(func() { utilnet.CloseIdleConnectionsFor(over.Transport) })
	set, err := kubernetes.NewForConfigAndClient(access, &http.Client{Transport: with(over.Transport)})
	require.NoError(t, err)
	return set
}

// background runs something until it is stopped, at the end of the test at the latest.
func background(t *testing.T, run func(context.Context) error) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- run(ctx) }()
	stop = sync.OnceFunc(func() {
		cancel()
		require.NoError(t, <-ended)
	})
	t.Cleanup(stop)
	return stop
}
