// Misconception: a higher attempt is what makes a state stale.
// Stage: 3

//go:build wrong

package statemap

import "k8s.io/apimachinery/pkg/types"

func (m *Map) Update(object types.NamespacedName, run Run, state State) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if e, found := m.entries[object]; !found || e.run.Attempt > run.Attempt {
		return ErrStale
	}
	run = m.entries[object].run
	m.entries[object] = entry{run, state.clone()}
	return nil
}
