// Breaks: It takes the place of what was known of the object.
// Caught by: TestPutAgain
// Message: the last step found a/1, Running

//go:build wrong

package statemap

import "k8s.io/apimachinery/pkg/types"

func (m *Map) Put(object types.NamespacedName, run Run, state State) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if of, taken := m.objects[run]; taken {
		if of != object {
			return ErrTaken
		}
		return nil // known already
	}
	delete(m.objects, m.entries[object].run)
	if run != (Run{}) {
		m.objects[run] = object
	}
	m.entries[object] = entry{run, state.clone()}
	return nil
}
