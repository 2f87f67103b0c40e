package restmapper

import (
	"fmt"
	"net/url"
	"strings"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/rest"
)

// URL is where the objects of a mapping are on a server, "https://127.0.0.1:6443": all of them without a namespace and
// a name, those of a namespace without a name, or one, or a subresource of one ("status"). A namespace is left out for
// a kind that has none, so that a caller need not know.
//
// It is an error to name an object of a kind that has namespaces without one, a subresource of no object, and what can
// be no part of a path.
//
// Upstream: rest.Request.URL, in k8s.io/client-go/rest/request.go.
func URL(server string, mapping *meta.RESTMapping, namespace, name string, subresources ...string) (string, error) {
	namespaced := mapping.Scope.Name() == meta.RESTScopeNameNamespace
	switch {
	case name == "" && len(subresources) > 0:
		return "", fmt.Errorf("the subresource %s of no %s: an object's name is missing",
			strings.Join(subresources, "/"), mapping.GroupVersionKind.Kind)
	case name != "" && namespaced && namespace == "":
		return "", fmt.Errorf("%s %q is in a namespace, and none is given", mapping.GroupVersionKind.Kind, name)
	}
	var parts []string
	if namespaced && namespace != "" {
		parts = append(parts, "namespaces", namespace)
	}
	parts = append(parts, mapping.Resource.Resource)
	if name != "" {
		parts = append(parts, name)
	}
	path := groupVersionPath(mapping.Resource.GroupVersion())
	for _, part := range append(parts, subresources...) {
		wrong := rest.IsValidPathSegmentName(part)
		if part == "" {
			wrong = append(wrong, "it is empty")
		}
		if len(wrong) > 0 {
			return "", fmt.Errorf("%q can be no part of a path: %s", part, strings.Join(wrong, ", "))
		}
		path += "/" + url.PathEscape(part)
	}
	return strings.TrimSuffix(server, "/") + path, nil
}

// groupVersionPath is the path of a group version. The legacy group, whose name is empty, has a root of its own.
func groupVersionPath(gv schema.GroupVersion) string {
	if gv.Group == "" {
		return "/api/" + url.PathEscape(gv.Version)
	}
	return "/apis/" + url.PathEscape(gv.Group) + "/" + url.PathEscape(gv.Version)
}
