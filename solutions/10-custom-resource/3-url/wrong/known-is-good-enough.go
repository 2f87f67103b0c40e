// Misconception: when the API server can't be asked, the last document is as good as a new one.
// Caught by: TestAFailureIsNoAnswer
// Message: Mouse was found, then an answer 503 in a Find of Frog

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
	last := entries
	entries, err := f.ask(kind.GroupVersion())
	if err != nil && last != nil {
		entries, err = last, nil
	}
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
