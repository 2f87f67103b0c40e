package restmapper

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// discovery asks the API server what it serves.
//
// Upstream: discovery.DiscoveryClient, in k8s.io/client-go/discovery/discovery_client.go.
type discovery struct {
	client *http.Client
	server string // without a slash at its end
}

// versions are the group versions that the server serves, in its order of preference: the legacy group, then the
// others, and of each group the preferred version first.
func (d discovery) versions() (all []schema.GroupVersion, err error) {
	var legacy metav1.APIVersions
	if _, err := d.get("/api", &legacy); err != nil {
		return nil, err
	}
	for _, version := range legacy.Versions {
		all = append(all, schema.GroupVersion{Version: version})
	}
	var list metav1.APIGroupList
	if _, err := d.get("/apis", &list); err != nil {
		return nil, err
	}
	for _, group := range list.Groups {
		preferred := group.PreferredVersion.Version
		if preferred != "" {
			all = append(all, schema.GroupVersion{Group: group.Name, Version: preferred})
		}
		for _, v := range group.Versions {
			if v.Version != preferred {
				all = append(all, schema.GroupVersion{Group: group.Name, Version: v.Version})
			}
		}
	}
	return all, nil
}

// table is what one group version serves. One that is not there serves nothing, and its table is nil: that is no error.
func (d discovery) table(gv schema.GroupVersion) (*table, error) {
	var list metav1.APIResourceList
	served, err := d.get(groupVersionPath(gv), &list)
	if err != nil || !served {
		return nil, err
	}
	return newTable(gv, list.APIResources), nil
}

// get reads what is at a path, if something is.
func (d discovery) get(path string, into any) (served bool, err error) {
	response, err := d.client.Get(d.server + path)
	if err != nil {
		return false, err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	switch {
	case err != nil:
		return false, fmt.Errorf("GET %s: %w", path, err)
	case response.StatusCode == http.StatusNotFound:
		return false, nil
	case response.StatusCode != http.StatusOK:
		return false, fmt.Errorf("GET %s: %w", path, apierrors.NewGenericServerResponse(response.StatusCode, "get",
			schema.GroupResource{}, "", strings.TrimSpace(string(body)), 0, true))
	}
	if err := json.Unmarshal(body, into); err != nil {
		return false, fmt.Errorf("GET %s: %w", path, err)
	}
	return true, nil
}
