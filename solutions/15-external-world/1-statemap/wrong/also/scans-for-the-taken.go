// Breaks: No call looks at all objects, or all runs.
// Stage: 4

//go:build wrong

package statemap

import "k8s.io/apimachinery/pkg/types"

func (m *Map) Put(object types.NamespacedName, run Run, state State) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	for of, e := range m.entries {
		if of != object && e.run == run && run != (Run{}) {
			return ErrTaken
		}
	}
	delete(m.objects, m.entries[object].run)
	if run != (Run{}) {
		m.objects[run] = object
	}
	m.entries[object] = entry{run, state.clone()}
	return nil
}
