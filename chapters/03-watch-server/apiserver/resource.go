package apiserver

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/03-watch-server/apiserver/storage"
)

// Resource is a kind of object as the server has to know it: how it is called, and where it lives.
type Resource struct {
	Group, Version string // "" is the core group
	Plural         string // "configmaps", as in the URL
	Kind           string // "ConfigMap", as in the object
	ShortNames     []string
	ClusterScoped  bool

	// AddToScheme registers the Go types, for clients that speak protobuf. Nil: JSON only.
	AddToScheme func(*runtime.Scheme) error
}

// ConfigMaps are what the demo serves.
var ConfigMaps = Resource{Version: "v1", Plural: "configmaps", Kind: "ConfigMap", ShortNames: []string{"cm"},
	AddToScheme: corev1.AddToScheme}

// groupVersion is what an object of the resource says in apiVersion.
func (r Resource) groupVersion() schema.GroupVersion {
	return schema.GroupVersion{Group: r.Group, Version: r.Version}
}

// groupResource is how messages name it: "configmaps", "widgets.example.com".
func (r Resource) groupResource() schema.GroupResource {
	return schema.GroupResource{Group: r.Group, Resource: r.Plural}
}

// root is the path of its version: the core group has a tree of its own, for it is older than groups.
func (r Resource) root() string {
	if r.Group == "" {
		return "/api/" + r.Version
	}
	return "/apis/" + r.groupVersion().String()
}

// collection is the path of its collection in one namespace, or of all of it if it has none.
func (r Resource) collection() string {
	if r.ClusterScoped {
		return r.root() + "/" + r.Plural
	}
	return r.root() + "/namespaces/{namespace}/" + r.Plural
}

func (r Resource) key(namespace, name string) storage.Key {
	return storage.Key{Resource: r.groupResource().String(), Namespace: namespace, Name: name}
}
