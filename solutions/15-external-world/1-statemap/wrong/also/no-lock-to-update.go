// Breaks: From now on many goroutines call all the methods at once.
// Stage: 4

//go:build wrong

package statemap

import "k8s.io/apimachinery/pkg/types"

func (m *Map) Update(object types.NamespacedName, run Run, state State) error {
	if e, found := m.entries[object]; !found || e.run != run {
		return ErrStale
	}
	m.entries[object] = entry{run, state.clone()}
	return nil
}
