// Misconception: a struct is copied when it is returned.
// Caught by: TestBorrowed
// Message: the belief that a struct's copy has a slice of its own

//go:build wrong

package statemap

import "k8s.io/apimachinery/pkg/types"

func (m *Map) ByObject(object types.NamespacedName) (run Run, state State, found bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	e, found := m.entries[object]
	return e.run, e.state, found
}

func (m *Map) ByRun(run Run) (object types.NamespacedName, state State, found bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	object, found = m.objects[run]
	return object, m.entries[object].state, found
}
