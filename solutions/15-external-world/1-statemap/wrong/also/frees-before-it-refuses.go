// Breaks: A run that another object has is refused with ErrTaken, and nothing changes.
// Stage: 2

//go:build wrong

package statemap

import "k8s.io/apimachinery/pkg/types"

func (m *Map) Put(object types.NamespacedName, run Run, state State) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.objects, m.entries[object].run)
	if of, taken := m.objects[run]; taken && of != object {
		return ErrTaken
	}
	if run != (Run{}) {
		m.objects[run] = object
	}
	m.entries[object] = entry{run, state.clone()}
	return nil
}
