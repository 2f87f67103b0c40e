// Misconception: a path is escaped as a query is.
// Caught by: TestSegmentsAreEscaped
// Message: the belief that a path is escaped as a query is

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
			path += "/" + neturl.QueryEscape(s)
		}
	}
	return path, nil
}
