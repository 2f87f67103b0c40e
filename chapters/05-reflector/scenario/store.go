package scenario

import (
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/cache"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/04-store/store"
)

// Store is chapter 04's store, which notes what it is told. Upstream: cache.ReflectorStore is what a reflector needs of
// a store, and cache.ReflectorBookmarkStore what takes bookmarks, too.
type Store struct {
	*store.Store
	session *Session
}

func newStore(s *Session) *Store { return &Store{store.New(cache.MetaNamespaceKeyFunc, nil), s} }

// Add implements cache.ReflectorStore.
func (s *Store) Add(object any) error { return s.one("Add", object, s.Store.Add) }

// Update implements cache.ReflectorStore.
func (s *Store) Update(object any) error { return s.one("Update", object, s.Store.Update) }

// Delete implements cache.ReflectorStore.
func (s *Store) Delete(object any) error { return s.one("Delete", object, s.Store.Delete) }

func (s *Store) one(method string, object any, write func(any) error) error {
	if err := write(object); err != nil {
		return err
	}
	o := object.(metav1.Object)
	text := fmt.Sprintf("%-8s%s at %s", method, o.GetName(), o.GetResourceVersion())
	s.session.told(method, text, o.GetResourceVersion())
	return nil
}

// Replace implements cache.ReflectorStore.
func (s *Store) Replace(list []any, version string) error {
	if err := s.Store.Replace(list, version); err != nil {
		return err
	}
	objects := fmt.Sprintf("%d objects", len(list))
	if len(list) == 1 {
		objects = "1 object"
	}
	s.session.told("Replace", fmt.Sprintf("Replace all with %s, at %s", objects, version), version)
	return nil
}

// Resync implements cache.ReflectorStore: a store has nothing to do then, and a queue has.
func (s *Store) Resync() error {
	s.session.told("Resync", "Resync", "")
	return s.Store.Resync()
}

// Bookmark implements cache.ReflectorBookmarkStore.
func (s *Store) Bookmark(version string) error {
	s.session.told("Bookmark", "Bookmark at "+version, version)
	return nil
}

// names are those of all objects.
func (s *Store) names() map[string]bool {
	names := map[string]bool{}
	for _, object := range s.List() {
		names[object.(metav1.Object).GetName()] = true
	}
	return names
}
