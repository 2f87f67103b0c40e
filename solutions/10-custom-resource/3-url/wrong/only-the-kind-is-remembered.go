// Breaks: A kind that is in it is found without a request.
// Caught by: TestRequests
// Message: after a Find of v1 Pod, Find of v1 Node: v1 nodes, cluster-scoped, with no request

//go:build wrong

package url

import (
	"sync"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

type Finder struct {
	server Server
	found  sync.Map // by kind
}

func New(server Server) *Finder { return &Finder{server: server} }

func (f *Finder) Find(kind schema.GroupVersionKind) (Resource, error) {
	if r, ok := f.found.Load(kind); ok {
		return r.(Resource), nil
	}
	entries, err := f.ask(kind.GroupVersion())
	if err != nil {
		return Resource{}, err
	}
	if r, ok := among(entries, kind); ok {
		f.found.Store(kind, r)
		return r, nil
	}
	return Resource{}, &meta.NoKindMatchError{GroupKind: kind.GroupKind(), SearchedVersions: []string{kind.Version}}
}
