// Misconception: the legacy group is called core.
// Caught by: TestPaths
// Message: the belief that all groups are below /apis

//go:build wrong

package url

import (
	"fmt"
	neturl "net/url"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"
)

func (r Resource) URL(namespace, name string) (string, error) {
	group := r.Group
	if group == "" {
		group = "core"
	}
	path := root(schema.GroupVersion{Group: group, Version: r.Version})
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
