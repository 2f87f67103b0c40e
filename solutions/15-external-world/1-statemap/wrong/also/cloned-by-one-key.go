// Misconception: who comes from outside only looks.
// Stage: 3

//go:build wrong

package statemap

import "k8s.io/apimachinery/pkg/types"

func (m *Map) ByRun(run Run) (object types.NamespacedName, state State, found bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	object, found = m.objects[run]
	return object, m.entries[object].state, found
}
