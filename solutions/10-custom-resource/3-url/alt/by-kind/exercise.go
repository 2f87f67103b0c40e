// Package url is the way from the kind of an object to the URL at which the API server has it.
package url

import (
	"encoding/json"
	"fmt"
	"maps"
	neturl "net/url"
	"strings"
	"sync"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Server is the API server.
type Server interface {
	// Get is one request, GET path, and returns the body of the answer. An error that apierrors.IsNotFound recognises
	// is an answer 404: the server has nothing at this path. Any other error leaves it open what the server has.
	Get(path string) (body []byte, err error)
}

// Resource is what the API server has objects of one kind under.
type Resource struct {
	schema.GroupVersionResource
	// Namespaced says that each object is in a namespace. The others are cluster-scoped.
	Namespaced bool
}

// Finder finds resources. Its fields may be changed.
type Finder struct {
	server Server

	mu    sync.RWMutex // guards known
	known map[schema.GroupVersionKind]Resource
}

// New makes a Finder. It sends no request.
func New(server Server) *Finder {
	return &Finder{server: server, known: map[schema.GroupVersionKind]Resource{}}
}

// Find returns the resource whose objects have a kind. The Version and the Kind of kind are never empty.
//
// What the API server says:
//
//   - It describes each group version in a document, a metav1.APIResourceList as JSON. That of the legacy group, whose
//     name is empty, is at /api/VERSION, that of any other group at /apis/GROUP/VERSION.
//   - The resource of a kind is an entry with this very Kind, in the document of the kind's own group and version. Its
//     Name is the resource's name, and no rule leads from one to the other.
//   - An entry that has a slash in its Name is a subresource. It is nobody's resource, whatever its Kind.
//   - The resource is namespaced if its entry says so.
//
// When it is asked:
//
//   - The last document of each group version is remembered. A kind that is in it is found without a request.
//   - For any other kind the document of its group version is requested, once in each call, and nothing else is. It is
//     requested again however often it did not have the kind: a CRD may have come since.
//   - An answer 404 says what a document without entries says, and is remembered as one.
//   - If the kind is not there either, the error is one that meta.IsNoMatchError recognises.
//   - Any other error of Get says nothing about kinds. Find returns an error in which errors.Is finds it, and which
//     meta.IsNoMatchError does not recognise. What was remembered before still is.
//   - A body that is no JSON is such an error, too.
//
// By whom:
//
//   - Any number of goroutines may call Find at once. Those that need the same document may each request it.
//   - A call that needs no request waits for no request of another call, either.
func (f *Finder) Find(kind schema.GroupVersionKind) (Resource, error) {
	if r, ok := f.remembered(kind); ok {
		return r, nil
	}
	path := "/apis/" + kind.Group + "/" + kind.Version
	if kind.Group == "" {
		path = "/api/" + kind.Version
	}
	list := metav1.APIResourceList{}
	body, err := f.server.Get(path)
	if err == nil {
		err = json.Unmarshal(body, &list)
	}
	if err != nil && !apierrors.IsNotFound(err) {
		return Resource{}, fmt.Errorf("GET %s: %w", path, err)
	}
	f.remember(kind.GroupVersion(), list.APIResources)
	if r, ok := f.remembered(kind); ok {
		return r, nil
	}
	return Resource{}, fmt.Errorf("GET %s: %w", path, &meta.NoKindMatchError{GroupKind: kind.GroupKind()})
}

func (f *Finder) remembered(kind schema.GroupVersionKind) (Resource, bool) {
	f.mu.RLock()
	defer f.mu.RUnlock()
	r, ok := f.known[kind]
	return r, ok
}

// remember puts a document in the place of the one before.
func (f *Finder) remember(gv schema.GroupVersion, entries []metav1.APIResource) {
	f.mu.Lock()
	defer f.mu.Unlock()
	maps.DeleteFunc(f.known, func(kind schema.GroupVersionKind, _ Resource) bool { return kind.GroupVersion() == gv })
	for _, e := range entries {
		if resource, sub, _ := strings.Cut(e.Name, "/"); sub == "" {
			f.known[gv.WithKind(e.Kind)] = Resource{gv.WithResource(resource), e.Namespaced}
		}
	}
}

// URL is the path of one object. If name is empty, it is that of all objects in the namespace. If that is empty, too,
// it is that of all objects in all namespaces.
//
//	/apis/apps/v1/namespaces/NAMESPACE/deployments/NAME
//	/apis/apps/v1/namespaces/NAMESPACE/deployments
//	/apis/apps/v1/deployments
//	/api/v1/nodes/NAME
//	/api/v1/nodes
//
// What they are put together from:
//
//   - The paths of the legacy group begin with /api/VERSION, those of the other groups with /apis/GROUP/VERSION.
//   - A cluster-scoped resource has no namespace in its paths, whichever is given.
//   - One object of a namespaced resource has no path without its namespace: that is an error.
//   - Namespace and name are each one segment of the path, and are escaped as one. A ClusterRole may be named
//     "who? #1".
//   - What can't be a segment is an error: "." and "..", and a text with a slash or a percent sign in it.
func (r Resource) URL(namespace, name string) (string, error) {
	if !r.Namespaced {
		namespace = ""
	} else if namespace == "" && name != "" {
		return "", fmt.Errorf("%s %s has no namespace", r.Resource, name)
	}
	for _, segment := range []string{namespace, name} {
		if segment == "." || segment == ".." || strings.ContainsAny(segment, "/%") {
			return "", fmt.Errorf("%q is no segment of a path", segment)
		}
	}
	segments := []string{"", "apis", r.Group, r.Version}
	if r.Group == "" {
		segments = []string{"", "api", r.Version}
	}
	if namespace != "" {
		segments = append(segments, "namespaces", namespace)
	}
	segments = append(segments, r.Resource)
	if name != "" {
		segments = append(segments, name)
	}
	u := neturl.URL{Path: strings.Join(segments, "/")}
	return u.EscapedPath(), nil
}
