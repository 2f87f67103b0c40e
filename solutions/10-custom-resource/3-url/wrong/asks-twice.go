// Breaks: For any other kind the document of its group version is requested, once in each call, and nothing else is.
// Caught by: TestRequests
// Message: after all these, Find of v9 Frog: no match, with GET /api/v9

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
	entries, err := f.ask(kind.GroupVersion())
	if err != nil {
		return Resource{}, err
	}
	if _, ok := among(entries, kind); !ok { // perhaps it has come by now
		if entries, err = f.ask(kind.GroupVersion()); err != nil {
			return Resource{}, err
		}
	}
	f.mu.Lock()
	f.entries[kind.GroupVersion()] = entries
	f.mu.Unlock()
	if r, ok := among(entries, kind); ok {
		return r, nil
	}
	return Resource{}, &meta.NoKindMatchError{GroupKind: kind.GroupKind(), SearchedVersions: []string{kind.Version}}
}
