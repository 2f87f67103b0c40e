package owned_test

import (
	"context"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/14-owned-objects/owned"
)

// ofTwo is a server that has a set of two, with both its children.
func ofTwo(t *testing.T) (server client.WithWatch, set *v1alpha1.ProcessSet, first, second *v1alpha1.Process) {
	t.Helper()
	known := runtime.NewScheme()
	require.NoError(t, v1alpha1.AddToScheme(known))
	app := map[string]string{"app": "web"}
	set = &v1alpha1.ProcessSet{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "web", UID: "1"},
		Spec: v1alpha1.ProcessSetSpec{Replicas: ptr.To[int32](2), Selector: app,
			Template: v1alpha1.ProcessTemplate{Labels: app}}}
	first, second = owned.Child(set, "web-0"), owned.Child(set, "web-1")
	server = fake.NewClientBuilder().WithScheme(known).WithObjects(set, first, second).
		WithStatusSubresource(set).Build()
	return server, set, first, second
}

// Another controller has made web-1, and its event comes when a run has read the cache and not yet counted. The run has
// seen one child of two, and its next number is beyond web-1: it must not make a third.
func TestAChildIsShownDuringARun(t *testing.T) {
	server, set, first, second := ofTwo(t)
	var r *owned.Reconciler
	shown := []v1alpha1.Process{*first}
	cached := interceptor.NewClient(server, interceptor.Funcs{
		List: func(_ context.Context, _ client.WithWatch, into client.ObjectList, _ ...client.ListOption) error {
			into.(*v1alpha1.ProcessList).Items = shown
			if len(shown) == 1 {
				shown = append(shown, *second)
				r.Notes().Create(event.CreateEvent{Object: second})
			}
			return nil
		}})
	r = owned.New(cached, server, owned.Ours())
	r.Notes().Create(event.CreateEvent{Object: first})

	_, err := r.Reconcile(t.Context(), reconcile.Request{NamespacedName: client.ObjectKeyFromObject(set)})
	require.NoError(t, err)
	var all v1alpha1.ProcessList
	require.NoError(t, server.List(t.Context(), &all))
	require.Len(t, all.Items, 2)
}

// A cache lists in no order. That is no news, and no status is written for it.
func TestTheOrderOfTheCacheIsNoNews(t *testing.T) {
	server, set, first, second := ofTwo(t)
	shown := []v1alpha1.Process{*first, *second}
	cached := interceptor.NewClient(server, interceptor.Funcs{
		List: func(_ context.Context, _ client.WithWatch, into client.ObjectList, _ ...client.ListOption) error {
			into.(*v1alpha1.ProcessList).Items = slices.Clone(shown)
			slices.Reverse(shown)
			return nil
		}})
	r := owned.New(cached, server, owned.Ours())
	version := func() string {
		_, err := r.Reconcile(t.Context(), reconcile.Request{NamespacedName: client.ObjectKeyFromObject(set)})
		require.NoError(t, err)
		require.NoError(t, server.Get(t.Context(), client.ObjectKeyFromObject(set), set))
		return set.ResourceVersion
	}
	require.Equal(t, version(), version())
}
