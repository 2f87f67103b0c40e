// Misconception: what a lock guards has to stay as it is during a request.
// Caught by: TestNoRequestHoldsUpWhatIsKnown
// Message: the belief that a lock has to be held over a request

//go:build wrong

package url

import (
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

func (f *Finder) Find(kind schema.GroupVersionKind) (Resource, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	entries := f.entries[kind.GroupVersion()]
	if r, ok := among(entries, kind); ok {
		return r, nil
	}
	entries, err := f.ask(kind.GroupVersion())
	if err != nil {
		return Resource{}, err
	}
	f.entries[kind.GroupVersion()] = entries
	if r, ok := among(entries, kind); ok {
		return r, nil
	}
	return Resource{}, &meta.NoKindMatchError{GroupKind: kind.GroupKind(), SearchedVersions: []string{kind.Version}}
}
