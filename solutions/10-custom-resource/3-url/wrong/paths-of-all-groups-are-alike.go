// Misconception: only the documents of the legacy group are somewhere else.
// Caught by: TestPaths
// Message: the belief that all groups are below /apis

//go:build wrong

package url

import (
	"fmt"
	neturl "net/url"
	"strings"
)

func (r Resource) URL(namespace, name string) (string, error) {
	path := "/apis/" + r.GroupVersion().String()
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
			path += "/" + neturl.PathEscape(s)
		}
	}
	return path, nil
}
