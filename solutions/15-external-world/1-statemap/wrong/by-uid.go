// Misconception: a process belongs to an object, and an object has a UID.
// Caught by: TestUnknown
// Message: the belief that a UID is enough to know a run by

//go:build wrong

package statemap

import "k8s.io/apimachinery/pkg/types"

func (m *Map) Put(object types.NamespacedName, run Run, state State) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if of, taken := m.objects[Run{UID: run.UID}]; taken && of != object {
		return ErrTaken
	}
	delete(m.objects, Run{UID: m.entries[object].run.UID})
	if run != (Run{}) {
		m.objects[Run{UID: run.UID}] = object
	}
	m.entries[object] = entry{run, state.clone()}
	return nil
}

func (m *Map) ByRun(run Run) (object types.NamespacedName, state State, found bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	object, found = m.objects[Run{UID: run.UID}]
	return object, m.entries[object].state.clone(), found
}
