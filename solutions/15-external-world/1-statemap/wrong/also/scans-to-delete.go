// Breaks: No call looks at all objects, or all runs.
// Stage: 4

//go:build wrong

package statemap

import (
	"maps"

	"k8s.io/apimachinery/pkg/types"
)

func (m *Map) Delete(object types.NamespacedName) {
	m.mu.Lock()
	defer m.mu.Unlock()
	maps.DeleteFunc(m.objects, func(_ Run, of types.NamespacedName) bool { return of == object })
	delete(m.entries, object)
}
