package faultserver

import (
	"net/http"
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise/fakeapi"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit"
)

// some are a few of a cluster's resources.
var some = []Resource{
	{Name: "configmaps", Singular: "configmap", Kind: "ConfigMap", Short: []string{"cm"}, Listed: true},
	{Name: "events", Singular: "event", Kind: "Event", Short: []string{"ev"}, Listed: true},
	{Name: "bindings", Singular: "binding", Kind: "Binding"},
	{Name: "pods", Singular: "pod", Kind: "Pod", Short: []string{"po"}, Listed: true},
	{Name: "deployments", Group: "apps", Singular: "deployment", Kind: "Deployment", Short: []string{"deploy"},
		Listed: true},
	{Name: "events", Group: "events.k8s.io", Singular: "event", Kind: "Event", Short: []string{"ev"}, Listed: true},
	{Name: "pods", Group: "metrics.k8s.io", Kind: "PodMetrics", Listed: true},
}

func TestNamesOfTheCluster(t *testing.T) {
	for name, want := range map[string][2]string{
		"configmaps":       {"configmaps"},
		"deployments":      {"deployments"},
		"deployments.apps": {"deployments.apps"},
		"events":           {"events"},
		"cm":               {"configmaps", "cm is configmaps."},
		"configmap":        {"configmaps", "configmap is configmaps."},
		"deploy":           {"deployments.apps", "deploy is deployments.apps."},
		"deploy.apps":      {"deployments.apps", "deploy.apps is deployments.apps."},
		"podmetrics":       {"pods.metrics.k8s.io", "podmetrics is pods.metrics.k8s.io."},
		"foos.example.com": {"foos.example.com", "The cluster has no foos.example.com yet."},
	} {
		s, err := Parse(name+" 2.3 cut; 1 gone; "+name+" 4 gone", name)
		require.NoError(t, err)
		resolved, notes, err := s.Resolve(some)
		require.NoError(t, err, name)
		for _, p := range resolved.parts {
			require.Equal(t, want[0], p.resource, name)
		}
		seeded, err := Seeded(7, name)
		require.NoError(t, err)
		seeded, _, err = seeded.Resolve(some)
		require.NoError(t, err)
		require.Equal(t, want[0], seeded.only)
		if want[1] == "" {
			require.Empty(t, notes)
		} else {
			require.Equal(t, []string{want[1]}, notes, "said once")
		}
		require.Equal(t, name, s.parts[0].resource, "the script is as it was")
	}
	s, err := Parse("1 gone", "")
	require.NoError(t, err)
	resolved, notes, err := s.Resolve(some)
	require.NoError(t, err)
	require.Empty(t, notes)
	require.Equal(t, s, resolved, "each resource")
}

// A name that can match nothing is refused at the start, with what to write.
func TestNamesThatAreRefused(t *testing.T) {
	for name, want := range map[string]string{
		"configmaps.v1":          "a script names a resource without its version: write configmaps, and not configmaps.v1",
		"deployments.v1.apps":    "write deployments.apps, and not deployments.v1.apps",
		"deployments.v1":         "write deployments, and not deployments.v1",
		"cm.v1":                  "write configmaps, and not cm.v1",
		"ev":                     "ev is events or events.events.k8s.io: write which",
		"bindings":               "bindings can neither be listed nor watched",
		"configmpas":             `the cluster has no resource "configmpas": is it configmaps?`,
		"deployment.app":         `the cluster has no resource "deployment.app": is it deployments.apps?`,
		"deployments.extensions": `the cluster has no resource "deployments.extensions": is it deployments.apps?`,
		"foos":                   `the cluster has no resource "foos" (one that comes later has its group with it: foos.example.com)`,
		"cmm":                    `the cluster has no resource "cmm": is it configmaps?`,
		"x.v1":                   `the cluster has no resource "x.v1" (one that`,
	} {
		s, err := Parse("1 gone; "+name+" 1 cut", "")
		require.NoError(t, err)
		_, _, err = s.Resolve(some)
		require.ErrorContains(t, err, want)
		s, err = Seeded(7, name)
		require.NoError(t, err)
		_, _, err = s.Resolve(some)
		require.ErrorContains(t, err, want)
	}
}

func TestDiscover(t *testing.T) {
	testkit.Bubble(t, func(t *testing.T) {
		groups := func(group, version string, resources ...any) *fakeapi.Answer {
			return fakeapi.JSON(http.StatusOK, map[string]any{"kind": "APIGroupDiscoveryList", "items": []any{
				map[string]any{"metadata": map[string]any{"name": group}, "versions": []any{
					map[string]any{"version": version, "resources": resources}}}}})
		}
		configMaps := map[string]any{"resource": "configmaps", "singularResource": "configmap",
			"shortNames":   []any{"cm"},
			"responseKind": map[string]any{"group": "", "version": "v1", "kind": "ConfigMap"},
			"verbs":        []any{"get", "list", "watch"}}
		reviews := map[string]any{"resource": "tokenreviews", "singularResource": "tokenreview",
			"verbs": []any{"create"}, "responseKind": map[string]any{"kind": "TokenReview"}}
		api := fakeapi.New(t, groups("", "v1", configMaps), groups("authentication.k8s.io", "v1", reviews),
			fakeapi.JSON(http.StatusOK, map[string]any{"kind": "APIVersions", "versions": []any{"v1"}}),
			fakeapi.Status(http.StatusForbidden, "Forbidden", "not you"),
			fakeapi.Respond(http.StatusOK, "text/html", "<html>"))
		server, err := url.Parse(api.URL)
		require.NoError(t, err)
		found, err := Discover(t.Context(), api.Client(), server)
		require.NoError(t, err)
		require.Equal(t, []Resource{
			{Name: "configmaps", Singular: "configmap", Kind: "ConfigMap", Short: []string{"cm"}, Listed: true},
			{Name: "tokenreviews", Group: "authentication.k8s.io", Singular: "tokenreview", Kind: "TokenReview"},
		}, found)
		require.Contains(t, api.Requests()[0].Header.Get("Accept"), "as=APIGroupDiscoveryList")
		for _, want := range []string{"does not tell them in one answer", "403 Forbidden", "invalid character"} {
			_, err = Discover(t.Context(), api.Client(), server)
			require.ErrorContains(t, err, want)
		}
	})
}

func TestDistance(t *testing.T) {
	for words, want := range map[[2]string]int{
		{"", ""}: 0, {"pods", ""}: 4, {"", "pods"}: 4, {"pods", "pods"}: 0, {"pod", "pods"}: 1,
		{"configmpas", "configmaps"}: 2, {"kitten", "sitting"}: 3,
	} {
		require.Equal(t, want, distance(words[0], words[1]), words)
	}
}
