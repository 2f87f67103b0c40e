package watch

import "strings"

// Path returns the URL path of a collection: the plural lower-case resource, not the kind, of a group and version, in a
// namespace. An empty group is the core group, which is under /api instead of /apis; an empty namespace means all
// namespaces, or a resource that has none. More names follow: an object's, a subresource's.
//
//	Path("", "v1", "default", "configmaps")            /api/v1/namespaces/default/configmaps
//	Path("apps", "v1", "", "deployments")              /apis/apps/v1/deployments
//	Path("", "v1", "default", "pods", "a", "status")   /api/v1/namespaces/default/pods/a/status
func Path(group, version, namespace, resource string, more ...string) string {
	p := []string{"", "apis", group, version}
	if group == "" {
		p = []string{"", "api", version}
	}
	if namespace != "" {
		p = append(p, "namespaces", namespace)
	}
	return strings.Join(append(append(p, resource), more...), "/")
}
