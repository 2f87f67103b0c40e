package restmappertest_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"strings"

	apidiscovery "k8s.io/api/apidiscovery/v2"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/discovery"
)

// aggregated gives a world aggregated discovery: all that it serves, in the answers to two requests.
type aggregated struct{ world http.RoundTripper }

// RoundTrip implements http.RoundTripper.
func (a *aggregated) RoundTrip(r *http.Request) (*http.Response, error) {
	if !strings.Contains(r.Header.Get("Accept"), discovery.AcceptV2) {
		return a.world.RoundTrip(r)
	}
	var list apidiscovery.APIGroupDiscoveryList
	switch r.URL.Path {
	case "/api":
		var versions metav1.APIVersions
		if _, err := a.read(r, "/api", &versions); err != nil {
			return nil, err
		}
		legacy := apidiscovery.APIGroupDiscovery{}
		for _, version := range versions.Versions {
			legacy.Versions = append(legacy.Versions, a.version(r, version, "/api/"+version))
		}
		list.Items = append(list.Items, legacy)
	case "/apis":
		var groups metav1.APIGroupList
		if _, err := a.read(r, "/apis", &groups); err != nil {
			return nil, err
		}
		for _, group := range groups.Groups {
			item := apidiscovery.APIGroupDiscovery{ObjectMeta: metav1.ObjectMeta{Name: group.Name}}
			for _, v := range group.Versions {
				item.Versions = append(item.Versions, a.version(r, v.Version, "/apis/"+v.GroupVersion))
			}
			list.Items = append(list.Items, item)
		}
	default:
		return a.world.RoundTrip(r)
	}
	body, err := json.Marshal(list)
	return &http.Response{StatusCode: http.StatusOK, Request: r, Body: io.NopCloser(bytes.NewReader(body)),
		Header: http.Header{"Content-Type": {discovery.AcceptV2}}}, err
}

// version is what a group version serves, or that nobody knows.
func (a *aggregated) version(r *http.Request, version, path string) apidiscovery.APIVersionDiscovery {
	found := apidiscovery.APIVersionDiscovery{Version: version, Freshness: apidiscovery.DiscoveryFreshnessCurrent}
	var list metav1.APIResourceList
	code, err := a.read(r, path, &list)
	if err != nil || code != http.StatusOK {
		found.Freshness = apidiscovery.DiscoveryFreshnessStale
	}
	for _, resource := range list.APIResources {
		if strings.Contains(resource.Name, "/") {
			continue
		}
		scope := apidiscovery.ScopeCluster
		if resource.Namespaced {
			scope = apidiscovery.ScopeNamespace
		}
		found.Resources = append(found.Resources, apidiscovery.APIResourceDiscovery{Resource: resource.Name,
			ResponseKind: &metav1.GroupVersionKind{Kind: resource.Kind}, Scope: scope,
			SingularResource: resource.SingularName, Verbs: resource.Verbs})
	}
	return found
}

// read asks the world for what it has without aggregation.
func (a *aggregated) read(r *http.Request, path string, into any) (code int, err error) {
	plain := r.Clone(r.Context())
	plain.URL.Path = path
	response, err := a.world.RoundTrip(plain)
	if err != nil {
		return 0, err
	}
	return response.StatusCode, json.NewDecoder(response.Body).Decode(into)
}
