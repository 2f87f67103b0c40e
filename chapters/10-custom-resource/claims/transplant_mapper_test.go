package claims

import (
	"context"
	"net/http"
	"testing"
	"time"

	"github.com/go-logr/logr"
	"github.com/stretchr/testify/require"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/rest"
	"k8s.io/utils/ptr"
	ctrl "sigs.k8s.io/controller-runtime"
	ctrlcache "sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/config"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/restmapper"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit/kube"
)

// mapper makes this chapter's mapper for the test's server.
func (s *stage) mapper() *restmapper.Mapper { return restmapper.New(s.HTTPClient(), s.Server.String()) }

// TestOurMapperUnderAClient has controller-runtime's client and cache work on a kind whose CRD is installed after they
// and our mapper were made, and after each was asked for it in vain.
func TestOurMapperUnderAClient(t *testing.T) {
	s := newStage(t)
	mapper, access := s.mapper(), kube.RESTConfig(t, s.Cluster.Cluster)
	over, err := client.New(access, client.Options{HTTPClient: s.HTTPClient(), Mapper: mapper})
	require.NoError(t, err)
	local, err := ctrlcache.New(access, ctrlcache.Options{HTTPClient: s.HTTPClient(), Mapper: mapper,
		DefaultNamespaces: map[string]ctrlcache.Config{s.Namespace: {}}})
	require.NoError(t, err)
	background(t, local.Start)

	e := s.experiment(func(spec object) { // which is installed after this
		early := empty(spec["group"].(string))
		require.True(t, meta.IsNoMatchError(over.Get(t.Context(), client.ObjectKey{Name: "a"}, early)))
		_, err := local.GetInformer(t.Context(), early)
		require.True(t, meta.IsNoMatchError(err), "%v", err)
	})
	made := &unstructured.Unstructured{Object: e.object("v1alpha1", "a", sleeping())}
	made.SetNamespace(s.Namespace)
	require.NoError(t, over.Create(t.Context(), made))
	got := empty(e.group)
	require.NoError(t, over.Get(t.Context(), client.ObjectKeyFromObject(made), got))
	require.Equal(t, made, got)

	list := &unstructured.UnstructuredList{}
	list.SetGroupVersionKind(got.GroupVersionKind())
	require.NoError(t, local.List(t.Context(), list))
	require.Len(t, list.Items, 1)
	require.Equal(t, made.GetUID(), list.Items[0].GetUID())
}

// empty is a Process of another group, before it is read.
func empty(group string) *unstructured.Unstructured {
	u := &unstructured.Unstructured{}
	u.SetGroupVersionKind(schema.GroupVersionKind{Group: group, Version: "v1alpha1", Kind: "Process"})
	return u
}

// TestOurMapperUnderAManager has a manager of controller-runtime's run a controller of Processes on our mapper.
func TestOurMapperUnderAManager(t *testing.T) {
	s := newStage(t)
	types := runtime.NewScheme()
	require.NoError(t, v1alpha1.AddToScheme(types))
	made := make(chan *restmapper.Mapper, 1)
	manager, err := ctrl.NewManager(kube.RESTConfig(t, s.Cluster.Cluster), ctrl.Options{
		Scheme: types, Logger: logr.Discard(), Metrics: server.Options{BindAddress: "0"},
		Controller: config.Controller{SkipNameValidation: ptr.To(true)},
		Cache:      ctrlcache.Options{DefaultNamespaces: map[string]ctrlcache.Config{s.Namespace: {}}},
		MapperProvider: func(access *rest.Config, over *http.Client) (meta.RESTMapper, error) {
			m := restmapper.New(over, access.Host)
			made <- m
			return m, nil
		},
	})
	require.NoError(t, err)
	t.Cleanup(manager.GetHTTPClient().CloseIdleConnections)
	require.Same(t, <-made, manager.GetRESTMapper())

	reconciled := make(chan string, 100)
	over := manager.GetClient()
	require.NoError(t, ctrl.NewControllerManagedBy(manager).For(&v1alpha1.Process{}).Complete(reconcile.Func(
		func(ctx context.Context, r reconcile.Request) (reconcile.Result, error) {
			var p v1alpha1.Process
			if err := over.Get(ctx, r.NamespacedName, &p); err != nil {
				return reconcile.Result{}, client.IgnoreNotFound(err)
			}
			if p.Status.Phase == "" {
				p.Status.Phase = v1alpha1.PhaseRunning
				return reconcile.Result{}, over.Status().Update(ctx, &p)
			}
			reconciled <- p.Name
			return reconcile.Result{}, nil
		})))
	background(t, manager.Start)
	s.must(http.MethodPost, s.path("processes"), process("a", nil))
	select {
	case name := <-reconciled:
		require.Equal(t, "a", name)
	case <-time.After(patience):
		t.Fatal("the controller does not see it")
	}
	status := s.must(http.MethodGet, s.path("processes", "a"), nil)
	require.Equal(t, "Running", status.Field("status", "phase"))
}
