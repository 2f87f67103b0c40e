// Misconception: what a group version has is known once it was asked.
// Caught by: TestAKindThatComesLater
// Message: the belief that what a group version has is known once it was asked

//go:build wrong

package url

import (
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

func (f *Finder) Find(kind schema.GroupVersionKind) (Resource, error) {
	f.mu.Lock()
	entries, asked := f.entries[kind.GroupVersion()]
	f.mu.Unlock()
	if r, ok := among(entries, kind); ok {
		return r, nil
	}
	if asked {
		return Resource{}, &meta.NoKindMatchError{GroupKind: kind.GroupKind(), SearchedVersions: []string{kind.Version}}
	}
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
