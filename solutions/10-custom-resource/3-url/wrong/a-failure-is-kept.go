// Misconception: what failed once fails again.
// Caught by: TestAFailureIsNoAnswer
// Message: the belief that a failure says what the server has

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
	failed  map[schema.GroupVersion]error
}

func New(server Server) *Finder {
	return &Finder{server: server, entries: map[schema.GroupVersion][]metav1.APIResource{},
		failed: map[schema.GroupVersion]error{}}
}

func (f *Finder) Find(kind schema.GroupVersionKind) (Resource, error) {
	f.mu.Lock()
	entries, failed := f.entries[kind.GroupVersion()], f.failed[kind.GroupVersion()]
	f.mu.Unlock()
	if r, ok := among(entries, kind); ok {
		return r, nil
	}
	if failed != nil {
		return Resource{}, failed
	}
	entries, err := f.ask(kind.GroupVersion())
	if err != nil {
		f.mu.Lock()
		defer f.mu.Unlock()
		f.failed[kind.GroupVersion()] = err
		return Resource{}, err
	}
	f.mu.Lock()
	f.entries[kind.GroupVersion()] = entries
	f.mu.Unlock()
	if r, ok := among(entries, kind); ok {
		return r, nil
	}
	return Resource{}, &meta.NoKindMatchError{GroupKind: kind.GroupKind(), SearchedVersions: []string{kind.Version}}
}
