// Misconception: one map is enough, the other key is searched for.
// Caught by: TestManyObjects
// Message: ByRun takes as long among

//go:build wrong

package statemap

import "k8s.io/apimachinery/pkg/types"

func (m *Map) ByRun(run Run) (object types.NamespacedName, state State, found bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for object, e := range m.entries {
		if e.run == run && run != (Run{}) {
			return object, e.state.clone(), true
		}
	}
	return object, state, false
}
