// Misconception: whoever borrows gets a clone, and that is enough.
// Caught by: TestHandedOver
// Message: the belief that what was handed over is the map's

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
	if run != (Run{}) {
		m.objects[run] = object
	}
	m.entries[object] = entry{run, state}
	return nil
}

func (m *Map) Update(object types.NamespacedName, run Run, state State) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if e, found := m.entries[object]; !found || e.run != run {
		return ErrStale
	}
	m.entries[object] = entry{run, state}
	return nil
}
