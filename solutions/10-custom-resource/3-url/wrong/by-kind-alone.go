// Misconception: a Kind is one thing, whichever group it is asked for in.
// Caught by: TestThisVeryKind
// Message: the belief that the Kind says it all

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
	found   map[string]Resource // by Kind
}

func New(server Server) *Finder {
	return &Finder{server: server, entries: map[schema.GroupVersion][]metav1.APIResource{},
		found: map[string]Resource{}}
}

func (f *Finder) Find(kind schema.GroupVersionKind) (Resource, error) {
	f.mu.Lock()
	if r, ok := f.found[kind.Kind]; ok {
		f.mu.Unlock()
		return r, nil
	}
	entries := f.entries[kind.GroupVersion()]
	f.mu.Unlock()
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
		f.found[kind.Kind] = r
		return r, nil
	}
	return Resource{}, &meta.NoKindMatchError{GroupKind: kind.GroupKind(), SearchedVersions: []string{kind.Version}}
}
