// Breaks: The last document of each group version is remembered.
// Caught by: TestTheLastDocumentCounts
// Message: but the last document has none

//go:build wrong

package url

import (
	"slices"

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
	entries, err := f.ask(kind.GroupVersion())
	if err != nil {
		return Resource{}, err
	}
	f.mu.Lock()
	f.entries[kind.GroupVersion()] = append(slices.Clip(entries), f.entries[kind.GroupVersion()]...)
	f.mu.Unlock()
	if r, ok := among(entries, kind); ok {
		return r, nil
	}
	return Resource{}, &meta.NoKindMatchError{GroupKind: kind.GroupKind(), SearchedVersions: []string{kind.Version}}
}
