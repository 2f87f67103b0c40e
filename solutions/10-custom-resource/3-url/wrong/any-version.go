// Misconception: what one version of a group has all of them have.
// Caught by: TestThisVeryKind
// Message: the belief that what one version of a group has all of them have

//go:build wrong

package url

import (
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

func (f *Finder) Find(kind schema.GroupVersionKind) (Resource, error) {
	f.mu.Lock()
	var known []metav1.APIResource
	for gv, entries := range f.entries {
		if gv.Group == kind.Group {
			known = append(known, entries...)
		}
	}
	f.mu.Unlock()
	if r, ok := among(known, kind); ok {
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
