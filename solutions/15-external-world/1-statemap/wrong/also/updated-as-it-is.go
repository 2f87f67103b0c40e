// Misconception: a state that is updated was a clone.
// Stage: 3

//go:build wrong

package statemap

import "k8s.io/apimachinery/pkg/types"

func (m *Map) Update(object types.NamespacedName, run Run, state State) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if e, found := m.entries[object]; !found || e.run != run {
		return ErrStale
	}
	m.entries[object] = entry{run, state}
	return nil
}
