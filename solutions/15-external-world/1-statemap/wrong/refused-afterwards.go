// Misconception: an error says enough.
// Caught by: TestTaken
// Message: the belief that a refusal can come after the first change

//go:build wrong

package statemap

import "k8s.io/apimachinery/pkg/types"

func (m *Map) Put(object types.NamespacedName, run Run, state State) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	old := m.entries[object].run
	m.entries[object] = entry{run, state.clone()}
	if of, taken := m.objects[run]; taken && of != object {
		return ErrTaken
	}
	delete(m.objects, old)
	if run != (Run{}) {
		m.objects[run] = object
	}
	return nil
}
