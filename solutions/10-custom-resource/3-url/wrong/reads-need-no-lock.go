// Misconception: only writing a map needs a lock.
// Caught by: TestManyAtOnce
// Message: data race

//go:build wrong

package url

import (
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

func (f *Finder) Find(kind schema.GroupVersionKind) (Resource, error) {
	entries := f.entries[kind.GroupVersion()]
	if r, ok := among(entries, kind); ok {
		return r, nil
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
