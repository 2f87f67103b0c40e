// Misconception: an attempt has a higher number than the one before.
// Caught by: TestRestart
// Message: the belief that a new run has the higher number

//go:build wrong

package statemap

import "k8s.io/apimachinery/pkg/types"

func (m *Map) Put(object types.NamespacedName, run Run, state State) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if of, taken := m.objects[run]; taken && of != object {
		return ErrTaken
	}
	if old := m.entries[object].run; old.UID == run.UID && old.Attempt < run.Attempt || old.UID != run.UID {
		delete(m.objects, old)
	}
	if run != (Run{}) {
		m.objects[run] = object
	}
	m.entries[object] = entry{run, state.clone()}
	return nil
}
