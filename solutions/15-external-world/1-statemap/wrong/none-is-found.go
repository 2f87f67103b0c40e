// Misconception: what has no run is found by none.
// Caught by: TestNoRun
// Message: the belief that what has no key is found by its absence

//go:build wrong

package statemap

import "k8s.io/apimachinery/pkg/types"

func (m *Map) Put(object types.NamespacedName, run Run, state State) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if of, taken := m.objects[run]; taken && of != object && run != (Run{}) {
		return ErrTaken
	}
	delete(m.objects, m.entries[object].run)
	m.objects[run] = object
	m.entries[object] = entry{run, state.clone()}
	return nil
}
