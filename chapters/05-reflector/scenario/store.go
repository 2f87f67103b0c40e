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
	told func(call string, fresh bool, version string)
}

func newStore(told func(call string, fresh bool, version string)) *Store {
	return &Store{Store: store.New(cache.MetaNamespaceKeyFunc, nil), told: told}
}

// Add implements cache.ReflectorStore.
func (s *Store) Add(object any) error { return s.one("Add", object, s.Store.Add) }

// Update implements cache.ReflectorStore.
func (s *Store) Update(object any) error { return s.one("Update", object, s.Store.Update) }

// Delete implements cache.ReflectorStore.
func (s *Store) Delete(object any) error { return s.one("Delete", object, s.Store.Delete) }

func (s *Store) one(call string, object any, write func(any) error) error {
	if err := write(object); err != nil {
		return err
	}
	o := object.(metav1.Object)
	s.told(fmt.Sprintf("%-8s%s at %s", call, o.GetName(), o.GetResourceVersion()), false, o.GetResourceVersion())
	return nil
}

// Replace implements cache.ReflectorStore.
func (s *Store) Replace(list []any, version string) error {
	if err := s.Store.Replace(list, version); err != nil {
		return err
	}
	s.told(fmt.Sprintf("Replace all with %d objects, at %s", len(list), version), true, version)
	return nil
}

// Resync implements cache.ReflectorStore: a store has nothing to do then, and a queue has.
func (s *Store) Resync() error {
	s.told("Resync", false, "")
	return s.Store.Resync()
}

// Bookmark implements cache.ReflectorBookmarkStore.
func (s *Store) Bookmark(version string) error {
	s.told("Bookmark at "+version, false, version)
	return nil
}

// Has says whether an object with the name is there.
func (s *Store) Has(name string) bool {
	for _, object := range s.List() {
		if object.(metav1.Object).GetName() == name {
			return true
		}
	}
	return false
}
