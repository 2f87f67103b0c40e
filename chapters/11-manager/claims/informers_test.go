package claims

import (
	"bufio"
	"context"
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	utilnet "k8s.io/apimachinery/pkg/util/net"
	"k8s.io/utils/ptr"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/config"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/11-manager/opened"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/11-manager/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit/cluster"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit/kube"
)

// noop is a reconciler that has nothing to do.
var noop = reconciles(reconcile.Result{}, nil)

// opening is a manager on the API server, of whose namespace it knows, and its record.
func opening(t *testing.T, c *cluster.Cluster) (ctrl.Manager, *opened.Record) {
	t.Helper()
	record := opened.New()
	access := kube.RESTConfig(t, c.Cluster)
	access.Wrap(record.Transport(""))
	options := ctrl.Options{Logger: record.Logger(), Metrics: server.Options{BindAddress: "0"},
		Controller: config.Controller{SkipNameValidation: ptr.To(true)}, NewCache: record.NewCache(nil),
		Cache: cache.Options{DefaultNamespaces: map[string]cache.Config{c.Namespace: {}},
			NewInformer: record.NewInformer(scenario.Drained(nil))}}
	m, err := ctrl.NewManager(access, options)
	require.NoError(t, err)
	t.Cleanup(func() { utilnet.CloseIdleConnectionsFor(m.GetHTTPClient().Transport) })
	return m, record
}

// recorded waits for something to be recorded.
func recorded(t *testing.T, record *opened.Record, text string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	_, err := record.Await(ctx, func(e opened.Event) bool { return e.String() == text })
	require.NoError(t, err, "%q, in %q", text, record.Lines())
}

// Informers are shared by who sees the objects of a kind in the same way: as Go structs, as nested maps, or as their
// metadata alone. Of one kind there can be three, with a watch and a copy of all objects each; the server sends no
// more than the metadata for the third.
//
// covers: B-94 S0-26
func TestInformersOfOneKind(t *testing.T) {
	c := cluster.New(t)
	m, record := opening(t, c)
	set := kube.Clientset(t, kube.RESTConfig(t, c.Cluster))
	object := configMap(c.Namespace, "menu")
	object.Data = map[string]string{"dish": "soup"}
	_, err := set.CoreV1().ConfigMaps(c.Namespace).Create(t.Context(), object, metav1.CreateOptions{})
	require.NoError(t, err)
	for name, build := range map[string]func(b *builder.Builder) *builder.Builder{
		"first":  func(b *builder.Builder) *builder.Builder { return b.For(configMap("", "")) },
		"second": func(b *builder.Builder) *builder.Builder { return b.For(configMap("", "")) },
		"third":  func(b *builder.Builder) *builder.Builder { return b.For(loose("ConfigMap")) },
		"fourth": func(b *builder.Builder) *builder.Builder {
			return b.For(configMap("", ""), builder.OnlyMetadata)
		},
	} {
		b := build(ctrl.NewControllerManagedBy(m).Named(name))
		require.NoError(t, b.Complete(record.Reconciler(name, noop)))
	}
	start(t, m.Start)
	for _, name := range []string{"first", "second", "third", "fourth"} {
		recorded(t, record, name+" runs "+c.Namespace+"/menu")
	}
	require.Equal(t, []string{"*unstructured.Unstructured of ConfigMap", "*v1.ConfigMap",
		"*v1.PartialObjectMetadata of ConfigMap"}, made(record))
	var watches []string
	for _, line := range record.Lines(opened.Requests) {
		if line == "GET configmaps, a watch" || line == "GET configmaps, a watch, metadata only" {
			watches = append(watches, line)
		}
	}
	slices.Sort(watches)
	require.Equal(t, []string{"GET configmaps, a watch", "GET configmaps, a watch",
		"GET configmaps, a watch, metadata only"}, watches)

	only := &metav1.PartialObjectMetadata{}
	only.SetGroupVersionKind(corev1.SchemeGroupVersion.WithKind("ConfigMap"))
	require.NoError(t, m.GetClient().Get(t.Context(), ctrlKey{Namespace: c.Namespace, Name: "menu"}, only))
	require.Equal(t, "menu", only.Name, "a read of metadata is of that cache")
	require.NotContains(t, record.Lines(opened.Requests), http.MethodGet+" configmaps/menu")
}

// made are the informers that were made, sorted by their names.
func made(record *opened.Record) (all []string) {
	for _, e := range record.Events(opened.Informers) {
		if e.What == "is made" {
			all = append(all, e.Name)
		}
	}
	slices.Sort(all)
	return all
}

// The API server does not send that bookmark either to who asked for none. One that was asked for in the same moment is
// there long before.
//
// covers: C-26
func TestTheServerSendsNoBookmarkUnasked(t *testing.T) {
	c := cluster.New(t)
	first := func(query string) (event string) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		if query == "" {
			ctx, cancel = context.WithTimeout(t.Context(), 3*time.Second)
		}
		defer cancel()
		r, err := http.NewRequestWithContext(ctx, http.MethodGet, c.Server.String()+"/api/v1/namespaces/"+c.Namespace+
			"/secrets?watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan"+query, nil)
		require.NoError(t, err)
		response, err := c.HTTPClient().Do(r)
		require.NoError(t, err)
		defer response.Body.Close()
		line, err := bufio.NewReader(response.Body).ReadString('\n')
		if query == "" {
			require.ErrorIs(t, err, context.DeadlineExceeded, "%s", line)
		} else {
			require.NoError(t, err)
		}
		return line
	}
	require.Contains(t, first("&allowWatchBookmarks=true"), `"k8s.io/initial-events-end":"true"`)
	require.Empty(t, first(""))
}
