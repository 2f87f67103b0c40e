// Misconception: an update is a put that is careful.
// Caught by: TestUpdateOfAnother
// Message: the belief that an update makes what is not there

//go:build wrong

package statemap

import "k8s.io/apimachinery/pkg/types"

func (m *Map) Update(object types.NamespacedName, run Run, state State) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if e, found := m.entries[object]; found && e.run != run {
		return ErrStale
	}
	m.entries[object] = entry{run, state.clone()}
	return nil
}
