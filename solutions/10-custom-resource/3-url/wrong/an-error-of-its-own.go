// Breaks: If the kind is not there either, the error is one that meta.IsNoMatchError recognises.
// Caught by: TestSubresources
// Message: Find finds no match

//go:build wrong

package url

import (
	"fmt"

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
	f.entries[kind.GroupVersion()] = entries
	f.mu.Unlock()
	if r, ok := among(entries, kind); ok {
		return r, nil
	}
	return Resource{}, fmt.Errorf("no matches for kind %q in version %q", kind.Kind, kind.GroupVersion())
}
