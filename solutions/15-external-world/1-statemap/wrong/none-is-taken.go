// Misconception: a key that nobody uses is a key.
// Caught by: TestNoRun
// Message: the belief that no run is a run like another

//go:build wrong

package statemap

import "k8s.io/apimachinery/pkg/types"

func (m *Map) Put(object types.NamespacedName, run Run, state State) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if of, taken := m.objects[run]; taken && of != object {
		return ErrTaken
	}
	delete(m.objects, m.entries[object].run)
	m.objects[run] = object
	m.entries[object] = entry{run, state.clone()}
	return nil
}
