// Misconception: the API server is asked for each object.
// Caught by: TestRequests
// Message: the belief that the API server has to be asked for each object

//go:build wrong

package url

import (
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

func New(server Server) *Finder {
	return &Finder{server: server}
}

func (f *Finder) Find(kind schema.GroupVersionKind) (Resource, error) {
	entries, err := f.ask(kind.GroupVersion())
	if err != nil {
		return Resource{}, err
	}
	if r, ok := among(entries, kind); ok {
		return r, nil
	}
	return Resource{}, &meta.NoKindMatchError{GroupKind: kind.GroupKind(), SearchedVersions: []string{kind.Version}}
}

// Finder remembers nothing.
type Finder struct{ server Server }
