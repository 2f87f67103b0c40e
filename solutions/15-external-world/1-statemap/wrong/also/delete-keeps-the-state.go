// Misconception: an object that is gone is an object without a run.
// Stage: 2

//go:build wrong

package statemap

import "k8s.io/apimachinery/pkg/types"

func (m *Map) Delete(object types.NamespacedName) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.objects, m.entries[object].run)
	m.entries[object] = entry{}
}
