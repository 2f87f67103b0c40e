// Breaks: Namespace and name are each one segment of the path, and are escaped as one.
// Caught by: TestSegmentsAreEscaped
// Message: a path that the API server reads as "/apis/rbac.authorization.k8s.io/v1/clusterroles/who? #1"

//go:build wrong

package url

import (
	"fmt"
	"strings"
)

func (r Resource) URL(namespace, name string) (string, error) {
	path := root(r.GroupVersion())
	if r.Namespaced && namespace == "" && name != "" {
		return "", fmt.Errorf("%s %q is in a namespace: in which?", r.Resource, name)
	}
	segments := []string{r.Resource, name}
	if r.Namespaced && namespace != "" {
		segments = []string{"namespaces", namespace, r.Resource, name}
	}
	for _, s := range segments {
		switch {
		case s == "." || s == ".." || strings.ContainsAny(s, "/%"):
			return "", fmt.Errorf("%q can't be a part of a path", s)
		case s != "":
			path += "/" + s
		}
	}
	return path, nil
}
