// Misconception: a controller looks at one namespace.
// Caught by: TestUnknown
// Message: the belief that a name is enough to know an object by

//go:build wrong

package statemap

import (
	"sync"

	"k8s.io/apimachinery/pkg/types"
)

func (m *Map) Put(object types.NamespacedName, run Run, state State) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if of, taken := m.objects[run]; taken && of.Name != object.Name {
		return ErrTaken
	}
	delete(m.objects, m.entries[object.Name].run)
	if run != (Run{}) {
		m.objects[run] = object
	}
	m.entries[object.Name] = entry{run, state.clone()}
	return nil
}

func (m *Map) ByObject(object types.NamespacedName) (run Run, state State, found bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	e, found := m.entries[object.Name]
	return e.run, e.state.clone(), found
}

func (m *Map) ByRun(run Run) (object types.NamespacedName, state State, found bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	object, found = m.objects[run]
	return object, m.entries[object.Name].state.clone(), found
}

func (m *Map) Delete(object types.NamespacedName) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.objects, m.entries[object.Name].run)
	delete(m.entries, object.Name)
}

func (m *Map) Update(object types.NamespacedName, run Run, state State) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if e, found := m.entries[object.Name]; !found || e.run != run {
		return ErrStale
	}
	m.entries[object.Name] = entry{run, state.clone()}
	return nil
}

// Map has names for keys.
type Map struct {
	mu      sync.Mutex
	entries map[string]entry
	objects map[Run]types.NamespacedName
}

// New returns a Map that knows of nothing.
func New() *Map { return &Map{entries: map[string]entry{}, objects: map[Run]types.NamespacedName{}} }
