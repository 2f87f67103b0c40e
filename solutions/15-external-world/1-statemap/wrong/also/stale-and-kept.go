// Breaks: If the object has another run by now, or nothing is known of it, ErrStale is returned, and nothing changes.
// Stage: 3

//go:build wrong

package statemap

import "k8s.io/apimachinery/pkg/types"

func (m *Map) Update(object types.NamespacedName, run Run, state State) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	e, found := m.entries[object]
	m.entries[object] = entry{e.run, state.clone()}
	if !found || e.run != run {
		return ErrStale
	}
	return nil
}
