// Package url is the way from the kind of an object to the URL at which the API server has it.
package url

import (
	"bytes"
	"encoding/json"
	"fmt"
	neturl "net/url"
	"slices"
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
	get  func(path string) ([]byte, error)
	last sync.Map // by path: the body of the last answer
}

// New makes a Finder. It sends no request.
func New(server Server) *Finder { return &Finder{get: server.Get} }

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
	path := begin(kind.Group, kind.Version)
	if body, ok := f.last.Load(path); ok {
		if r, err := read(body.([]byte), kind); err == nil {
			return r, nil
		}
	}
	body, err := f.get(path)
	switch {
	case apierrors.IsNotFound(err):
		f.last.Delete(path) // no document has no kinds
		return Resource{}, none(kind)
	case err != nil:
		return Resource{}, err
	}
	r, err := read(body, kind)
	if err == nil || meta.IsNoMatchError(err) {
		f.last.Store(path, body)
	}
	return r, err
}

// read looks for a kind in a document.
func read(body []byte, kind schema.GroupVersionKind) (Resource, error) {
	list := &metav1.APIResourceList{}
	if err := json.NewDecoder(bytes.NewReader(body)).Decode(list); err != nil {
		return Resource{}, err
	}
	i := slices.IndexFunc(list.APIResources, func(e metav1.APIResource) bool {
		return e.Kind == kind.Kind && strings.IndexByte(e.Name, '/') < 0
	})
	if i < 0 {
		return Resource{}, none(kind)
	}
	e := list.APIResources[i]
	return Resource{kind.GroupVersion().WithResource(e.Name), e.Namespaced}, nil
}

func none(kind schema.GroupVersionKind) error {
	return &meta.NoKindMatchError{GroupKind: kind.GroupKind(), SearchedVersions: []string{kind.Version}}
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
	for _, s := range []string{namespace, name} {
		if strings.Trim(s, ".") == "" && len(s) > 0 && len(s) < 3 || strings.ContainsRune(s, '/') ||
			strings.ContainsRune(s, '%') {
			return "", fmt.Errorf("no path has %q", s)
		}
	}
	place := ""
	switch {
	case r.Namespaced && namespace != "":
		place = "namespaces/" + neturl.QueryEscape(namespace) + "/"
	case r.Namespaced && name != "":
		return "", fmt.Errorf("no namespace for %s", name)
	}
	path := begin(r.Group, r.Version) + "/" + place + r.Resource
	if name != "" {
		path += "/" + neturl.QueryEscape(name)
	}
	return strings.ReplaceAll(path, "+", "%20"), nil // a plus was escaped
}

func begin(group, version string) string {
	path := "/api/" + version
	if group != "" {
		path = "/apis/" + group + "/" + version
	}
	return path
}
