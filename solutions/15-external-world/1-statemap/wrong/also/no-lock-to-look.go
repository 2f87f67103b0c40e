// Breaks: From now on many goroutines call all the methods at once.
// Stage: 4

//go:build wrong

package statemap

import "k8s.io/apimachinery/pkg/types"

func (m *Map) ByObject(object types.NamespacedName) (run Run, state State, found bool) {
	e, found := m.entries[object]
	return e.run, e.state.clone(), found
}
