// Misconception: what is deleted is what has the key.
// Caught by: TestDelete
// Message: the last step found north/web

//go:build wrong

package statemap

import "k8s.io/apimachinery/pkg/types"

func (m *Map) Delete(object types.NamespacedName) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.entries, object)
}
