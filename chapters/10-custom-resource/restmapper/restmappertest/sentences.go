package restmappertest

import (
	"testing"

	"github.com/stretchr/testify/require"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// requireMapping asks where a kind is.
func requireMapping(t *testing.T, m meta.RESTMapper, kind schema.GroupVersionKind, resource string) {
	t.Helper()
	got, err := m.RESTMapping(kind.GroupKind(), kind.Version)
	require.NoError(t, err)
	require.Equal(t, kind, got.GroupVersionKind)
	require.Equal(t, kind.GroupVersion().WithResource(resource), got.Resource)
}

func bothWays(t *testing.T, _ *World, m meta.RESTMapper) {
	requireMapping(t, m, toysV1.WithKind("Doll"), "dolls")
	requireMapping(t, m, core.WithKind("Pod"), "pods")
	kind, err := m.KindFor(toysV1.WithResource("dolls"))
	require.NoError(t, err)
	require.Equal(t, toysV1.WithKind("Doll"), kind)
	singular, err := m.ResourceSingularizer("dolls")
	require.NoError(t, err)
	require.Equal(t, "doll", singular)
}

func scopes(t *testing.T, _ *World, m meta.RESTMapper) {
	for kind, scope := range map[string]meta.RESTScope{"Pod": meta.RESTScopeNamespace, "Node": meta.RESTScopeRoot} {
		got, err := m.RESTMapping(schema.GroupKind{Kind: kind}, "v1")
		require.NoError(t, err)
		require.Equal(t, scope.Name(), got.Scope.Name(), kind)
	}
}

func subresources(t *testing.T, _ *World, m meta.RESTMapper) {
	_, err := m.RESTMapping(toysV1.WithKind("Scale").GroupKind(), "v1")
	require.True(t, meta.IsNoMatchError(err), "%v", err)
	_, err = m.KindFor(core.WithResource("pods/status"))
	require.True(t, meta.IsNoMatchError(err), "%v", err)
	requireMapping(t, m, core.WithKind("Pod"), "pods") // although pods/status came later
}

func preferences(t *testing.T, _ *World, m meta.RESTMapper) {
	_, err := m.RESTMapping(toysV1beta1.WithKind("Kite").GroupKind(), "v1beta1") // whatever is known already
	require.NoError(t, err)
	all, err := m.RESTMappings(toysV1.WithKind("Doll").GroupKind())
	require.NoError(t, err)
	require.Len(t, all, 2)
	for _, want := range []struct {
		asked   []string
		version string
	}{
		{nil, "v1"}, {[]string{"v1beta1"}, "v1beta1"},
		{[]string{"v1beta1", "v1"}, "v1beta1"}, {[]string{"v7", "v1"}, "v1"},
		{[]string{"", runtime.APIVersionInternal}, "v1"},
	} {
		one, err := m.RESTMapping(toysV1.WithKind("Doll").GroupKind(), want.asked...)
		require.NoError(t, err)
		require.Equal(t, want.version, one.Resource.Version, "%q", want.asked)
	}
	kite, err := m.RESTMapping(toysV1.WithKind("Kite").GroupKind())
	require.NoError(t, err)
	require.Equal(t, "v1beta1", kite.Resource.Version, "the preferred version does not have it")
}

func partialNames(t *testing.T, _ *World, m meta.RESTMapper) {
	for _, partial := range []schema.GroupVersionResource{
		{Resource: "dolls"}, {Resource: "doll"}, {Resource: "DOLLS"}, {Group: "toys", Resource: "dolls"},
		{Group: "toys.example.com", Resource: "dolls"}, {Version: "v1", Resource: "dolls"},
		{Group: "toys", Version: runtime.APIVersionInternal, Resource: "dolls"},
	} {
		resource, err := m.ResourceFor(partial)
		require.NoError(t, err, partial)
		require.Equal(t, toysV1.WithResource("dolls"), resource, partial)
		kind, err := m.KindFor(partial)
		require.NoError(t, err, partial)
		require.Equal(t, toysV1.WithKind("Doll"), kind, partial)
	}
	both, err := m.ResourcesFor(schema.GroupVersionResource{Resource: "dolls"})
	require.NoError(t, err)
	require.Equal(t, []schema.GroupVersionResource{toysV1.WithResource("dolls"), toysV1beta1.WithResource("dolls")},
		both)
}

func notServed(t *testing.T, _ *World, m meta.RESTMapper) {
	for _, partial := range []schema.GroupVersionResource{
		{Resource: "cars"}, {Group: "toys.example.com", Version: "v1", Resource: "kites"},
		{Group: "toys", Version: "v1", Resource: "dolls"}, {Group: "example.com", Resource: "dolls"},
	} {
		_, err := m.ResourcesFor(partial)
		require.True(t, meta.IsNoMatchError(err), "%v: %v", partial, err)
		_, err = m.KindFor(partial)
		require.True(t, meta.IsNoMatchError(err), "%v: %v", partial, err)
	}
	_, err := m.ResourceFor(schema.GroupVersionResource{Group: "toys.example.com"})
	require.Error(t, err, "no resource is named")
	require.False(t, meta.IsNoMatchError(err), "%v", err)
	for _, kind := range []schema.GroupKind{{Kind: "Car"}, {Kind: "Doll"}, {Group: "toys", Kind: "Doll"}} {
		_, err := m.RESTMapping(kind, "v1")
		require.True(t, meta.IsNoMatchError(err), "%v: %v", kind, err)
		_, err = m.RESTMappings(kind)
		require.True(t, meta.IsNoMatchError(err), "%v: %v", kind, err)
	}
}

func later(t *testing.T, w *World, m meta.RESTMapper) {
	car := toysV1.WithKind("Car")
	for range 2 {
		_, err := m.RESTMapping(car.GroupKind(), "v1")
		require.True(t, meta.IsNoMatchError(err), "%v", err)
		_, err = m.RESTMapping(tools.WithKind("Saw").GroupKind(), "v1")
		require.True(t, meta.IsNoMatchError(err), "%v", err)
	}
	w.Serve(toysV1, Resource("cars", "car", "Car", true))
	requireMapping(t, m, car, "cars")
	w.Serve(tools, Resource("saws", "saw", "Saw", false))
	requireMapping(t, m, tools.WithKind("Saw"), "saws")
}

func laterVersion(t *testing.T, w *World, m meta.RESTMapper) {
	requireMapping(t, m, toysV1.WithKind("Doll"), "dolls")
	toysV2 := schema.GroupVersion{Group: "toys.example.com", Version: "v2"}
	_, err := m.KindFor(toysV2.WithResource("dolls"))
	require.True(t, meta.IsNoMatchError(err), "%v", err)
	w.Serve(toysV2, dolls)
	requireMapping(t, m, toysV2.WithKind("Doll"), "dolls")
	requireMapping(t, m, toysV1.WithKind("Doll"), "dolls")
}

func failing(t *testing.T, w *World, m meta.RESTMapper) {
	w.Serve(tools, Resource("saws", "saw", "Saw", false))
	w.Break(tools, true)
	requireMapping(t, m, core.WithKind("Pod"), "pods")
	resource, err := m.ResourceFor(schema.GroupVersionResource{Resource: "dolls"})
	require.NoError(t, err)
	require.Equal(t, toysV1.WithResource("dolls"), resource)
	_, err = m.RESTMapping(tools.WithKind("Saw").GroupKind(), "v1")
	require.Error(t, err)
	requireMapping(t, m, toysV1.WithKind("Doll"), "dolls")
}

func mended(t *testing.T, w *World, m meta.RESTMapper) {
	w.Serve(tools, Resource("saws", "saw", "Saw", false))
	w.Break(tools, true)
	_, err := m.RESTMapping(tools.WithKind("Saw").GroupKind(), "v1")
	require.Error(t, err)
	w.Break(tools, false)
	requireMapping(t, m, tools.WithKind("Saw"), "saws")
}
