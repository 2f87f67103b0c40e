package reflectortest

import (
	"fmt"
	"slices"
	"sync"

	corev1 "k8s.io/api/core/v1"
)

// Store is a cache.ReflectorStore that takes note of its calls, and a cache.ReflectorBookmarkStore. Its methods may be
// called by any goroutine.
type Store struct {
	// Refuse, if set before the store is used, is asked for the error of each call: "Add a", "Replace", "Resync".
	Refuse func(call string) error
	// Change, if set before the store is used, is given each object that the store was given, to change it in place.
	Change func(object *corev1.ConfigMap)

	mu     sync.Mutex
	values map[string]string
	calls  []string
}

// Calls are the calls so far: "Replace a b at 3", with the names in their order; "Add a", "Update a", "Delete a",
// "Bookmark 7", "Resync".
func (s *Store) Calls() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.calls)
}

// Values are the objects' values by name.
func (s *Store) Values() map[string]string {
	s.mu.Lock()
	defer s.mu.Unlock()
	values := map[string]string{}
	for name, value := range s.values {
		values[name] = value
	}
	return values
}

// call takes note of a call, and makes its change unless it is refused.
func (s *Store) call(text, short string, change func()) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calls = append(s.calls, text)
	if s.Refuse != nil {
		if err := s.Refuse(short); err != nil {
			return err
		}
	}
	if s.values == nil {
		s.values = map[string]string{}
	}
	change()
	return nil
}

// change is what a transformer does.
func (s *Store) change(object *corev1.ConfigMap) {
	if s.Change != nil {
		s.Change(object)
	}
}

func (s *Store) put(method string, object any) error {
	c := object.(*corev1.ConfigMap)
	s.change(c)
	text := method + " " + c.Name
	return s.call(text, text, func() { s.values[c.Name] = c.Data["value"] })
}

// Add implements cache.ReflectorStore.
func (s *Store) Add(object any) error { return s.put("Add", object) }

// Update implements cache.ReflectorStore.
func (s *Store) Update(object any) error { return s.put("Update", object) }

// Delete implements cache.ReflectorStore.
func (s *Store) Delete(object any) error {
	s.change(object.(*corev1.ConfigMap))
	name := object.(*corev1.ConfigMap).Name
	return s.call("Delete "+name, "Delete "+name, func() { delete(s.values, name) })
}

// Replace implements cache.ReflectorStore.
func (s *Store) Replace(list []any, version string) error {
	values, names := map[string]string{}, []string{}
	for _, object := range list {
		c := object.(*corev1.ConfigMap)
		s.change(c)
		values[c.Name] = c.Data["value"]
		names = append(names, c.Name)
	}
	slices.Sort(names)
	text := "Replace"
	for _, name := range names {
		text += " " + name
	}
	return s.call(fmt.Sprintf("%s at %s", text, version), "Replace", func() { s.values = values })
}

// Resync implements cache.ReflectorStore.
func (s *Store) Resync() error { return s.call("Resync", "Resync", func() {}) }

// Bookmark implements cache.ReflectorBookmarkStore.
func (s *Store) Bookmark(version string) error {
	return s.call("Bookmark "+version, "Bookmark", func() {})
}
