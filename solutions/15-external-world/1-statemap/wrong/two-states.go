// Misconception: each key has its entry.
// Caught by: TestPutAgain
// Message: the belief that the two keys lead to two states

//go:build wrong

package statemap

import (
	"sync"

	"k8s.io/apimachinery/pkg/types"
)

// Map has two entries for an object.
type Map struct {
	mu      sync.Mutex
	entries map[types.NamespacedName]entry
	objects map[Run]owned
}

type owned struct {
	object types.NamespacedName
	state  State
}

// New returns a Map that knows of nothing.
func New() *Map {
	return &Map{entries: map[types.NamespacedName]entry{}, objects: map[Run]owned{}}
}

func (m *Map) Put(object types.NamespacedName, run Run, state State) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	of, taken := m.objects[run]
	if taken && of.object != object {
		return ErrTaken
	}
	if old := m.entries[object].run; old != run {
		delete(m.objects, old)
	}
	if run != (Run{}) && !taken {
		m.objects[run] = owned{object, state.clone()}
	}
	m.entries[object] = entry{run, state.clone()}
	return nil
}

func (m *Map) ByRun(run Run) (object types.NamespacedName, state State, found bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	of, found := m.objects[run]
	return of.object, of.state.clone(), found
}
