// Breaks: One object of a namespaced resource has no path without its namespace: that is an error.
// Caught by: TestNoPathWithoutItsNamespace
// Message: /api/v1/pods/web

//go:build wrong

package url

import (
	"fmt"
	neturl "net/url"
	"strings"
)

func (r Resource) URL(namespace, name string) (string, error) {
	path := root(r.GroupVersion())
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
