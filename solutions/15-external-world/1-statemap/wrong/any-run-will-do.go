// Misconception: a state is the object's, whichever run it has.
// Caught by: TestUpdateOfAnother
// Message: the belief that what was learned of an object holds for what runs there now

//go:build wrong

package statemap

import "k8s.io/apimachinery/pkg/types"

func (m *Map) Update(object types.NamespacedName, run Run, state State) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	e, found := m.entries[object]
	if !found {
		return ErrStale
	}
	m.entries[object] = entry{e.run, state.clone()}
	return nil
}
