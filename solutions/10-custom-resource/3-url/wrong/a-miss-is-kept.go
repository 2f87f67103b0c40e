// Misconception: what is not there is never there.
// Caught by: TestAKindThatComesLater
// Message: the belief that what is not there once is never there

//go:build wrong

package url

import (
	"sync"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

type Finder struct {
	server Server

	mu      sync.Mutex // guards what follows
	entries map[schema.GroupVersion][]metav1.APIResource
	missing map[schema.GroupVersionKind]error
}

func New(server Server) *Finder {
	return &Finder{server: server, entries: map[schema.GroupVersion][]metav1.APIResource{},
		missing: map[schema.GroupVersionKind]error{}}
}

func (f *Finder) Find(kind schema.GroupVersionKind) (Resource, error) {
	f.mu.Lock()
	entries, missing := f.entries[kind.GroupVersion()], f.missing[kind]
	f.mu.Unlock()
	if missing != nil {
		return Resource{}, missing
	}
	if r, ok := among(entries, kind); ok {
		return r, nil
	}
	entries, err := f.ask(kind.GroupVersion())
	if err != nil {
		return Resource{}, err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.entries[kind.GroupVersion()] = entries
	if r, ok := among(entries, kind); ok {
		return r, nil
	}
	f.missing[kind] = &meta.NoKindMatchError{GroupKind: kind.GroupKind(), SearchedVersions: []string{kind.Version}}
	return Resource{}, f.missing[kind]
}
