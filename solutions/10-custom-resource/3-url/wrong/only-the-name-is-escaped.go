// Breaks: Namespace and name are each one segment of the path, and are escaped as one.
// Caught by: TestSegmentsAreEscaped
// Message: in namespace "so what?"

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
	segments := []string{r.Resource, name}
	if r.Namespaced && namespace != "" {
		segments = []string{"namespaces", namespace, r.Resource, name}
	}
	for _, s := range segments {
		switch {
		case s == "." || s == ".." || strings.ContainsAny(s, "/%"):
			return "", fmt.Errorf("%q can't be a part of a path", s)
		case s != "":
			if s == name {
				s = neturl.PathEscape(s)
			}
			path += "/" + s
		}
	}
	return path, nil
}
