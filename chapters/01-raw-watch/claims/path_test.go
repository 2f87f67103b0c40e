package claims

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/01-raw-watch/watch"
)

// A path has the plural lower-case resource where the kind is often written,
// and the core group has neither /apis nor a name.
//
// covers: B-72
func TestPathsHaveResourcesNotKinds(t *testing.T) {
	f := setup(t)
	f.create("a", nil)
	for path, want := range map[string]int{
		watch.Path("", "v1", f.Namespace, "configmaps", "a"):        200,
		watch.Path("", "v1", f.Namespace, "ConfigMap", "a"):         404,
		watch.Path("", "v1", f.Namespace, "configmap", "a"):         404,
		watch.Path("apps", "v1", f.Namespace, "deployments"):        200,
		watch.Path("apps", "v1", f.Namespace, "Deployment"):         404,
		"/apis/core/v1/namespaces/" + f.Namespace + "/configmaps/a": 404,
		"/api/v1": 200,
	} {
		resp, _ := f.Do(http.MethodGet, path, nil)
		require.Equal(t, want, resp.StatusCode, path)
	}
}

// The way from a kind to a path is asked of the server: discovery names the resource of each kind, and whether it is in
// namespaces. That is what a RESTMapper keeps.
//
// covers: S0-25
func TestDiscoveryLeadsFromKindToPath(t *testing.T) {
	f := setup(t)
	for kind, want := range map[string]string{
		"ConfigMap": "/api/v1/namespaces/" + f.Namespace + "/configmaps",
		"Namespace": "/api/v1/namespaces", // in no namespace
		"Endpoints": "/api/v1/namespaces/" + f.Namespace + "/endpoints",
	} {
		var list struct {
			Resources []struct {
				Name, Kind string
				Namespaced bool
			}
		}
		f.Must(http.MethodGet, "/api/v1", nil, &list)
		for _, r := range list.Resources {
			if r.Kind != kind {
				continue
			}
			namespace := ""
			if r.Namespaced {
				namespace = f.Namespace
			}
			require.Equal(t, want, watch.Path("", "v1", namespace, r.Name))
			resp, _ := f.Do(http.MethodGet, want, nil)
			require.Equal(t, 200, resp.StatusCode)
			break
		}
	}
}
