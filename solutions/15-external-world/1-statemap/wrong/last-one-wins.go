// Misconception: whoever puts last knows best.
// Caught by: TestTaken
// Message: the belief that the last one is right

//go:build wrong

package statemap

import "k8s.io/apimachinery/pkg/types"

func (m *Map) Put(object types.NamespacedName, run Run, state State) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if old := m.entries[object].run; m.objects[old] == object {
		delete(m.objects, old)
	}
	if run != (Run{}) {
		m.objects[run] = object
	}
	m.entries[object] = entry{run, state.clone()}
	return nil
}
