// Breaks: What was remembered before still is.
// Caught by: TestAFailureIsNoAnswer
// Message: Mouse was found, then a Find of Frog met an answer 503

//go:build wrong

package url

import (
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

func (f *Finder) Find(kind schema.GroupVersionKind) (Resource, error) {
	f.mu.Lock()
	entries := f.entries[kind.GroupVersion()]
	f.mu.Unlock()
	if r, ok := among(entries, kind); ok {
		return r, nil
	}
	f.mu.Lock()
	delete(f.entries, kind.GroupVersion()) // it is out of date
	f.mu.Unlock()
	entries, err := f.ask(kind.GroupVersion())
	if err != nil {
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
