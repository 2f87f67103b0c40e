// Misconception: what is escaped can't lead anywhere else.
// Caught by: TestWhatIsNoSegment
// Message: with name ".": an error

//go:build wrong

package url

import (
	"fmt"
	neturl "net/url"
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
		case s != "":
			path += "/" + neturl.PathEscape(s)
		}
	}
	return path, nil
}
