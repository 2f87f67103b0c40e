// Misconception: the run says whose state it is.
// Caught by: TestUpdateOfAnother
// Message: the belief that a run is enough to update by

//go:build wrong

package statemap

import "k8s.io/apimachinery/pkg/types"

func (m *Map) Update(object types.NamespacedName, run Run, state State) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	of, found := m.objects[run]
	if !found {
		return ErrStale
	}
	m.entries[of] = entry{run, state.clone()}
	return nil
}
