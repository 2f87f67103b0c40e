// Breaks: Any number of goroutines may call Find at once.
// Caught by: TestManyAtOnce
// Message: data race

//go:build wrong

package url

import (
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

type Finder struct {
	server  Server
	entries map[schema.GroupVersion][]metav1.APIResource
}

func (f *Finder) Find(kind schema.GroupVersionKind) (Resource, error) {
	entries := f.entries[kind.GroupVersion()]
	if r, ok := among(entries, kind); ok {
		return r, nil
	}
	entries, err := f.ask(kind.GroupVersion())
	if err != nil {
		return Resource{}, err
	}
	f.entries[kind.GroupVersion()] = entries
	if r, ok := among(entries, kind); ok {
		return r, nil
	}
	return Resource{}, &meta.NoKindMatchError{GroupKind: kind.GroupKind(), SearchedVersions: []string{kind.Version}}
}
