// Breaks: A cluster-scoped resource has no namespace in its paths, whichever is given.
// Caught by: TestClusterScoped
// Message: an error: nodes are in no namespace

//go:build wrong

package url

import (
	"fmt"
	neturl "net/url"
	"strings"
)

func (r Resource) URL(namespace, name string) (string, error) {
	path := root(r.GroupVersion())
	if r.Namespaced && namespace == "" && name != "" {
		return "", fmt.Errorf("%s %q is in a namespace: in which?", r.Resource, name)
	}
	if !r.Namespaced && namespace != "" {
		return "", fmt.Errorf("%s are in no namespace", r.Resource)
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
			path += "/" + neturl.PathEscape(s)
		}
	}
	return path, nil
}
