// Misconception: an object has a run, and one before.
// Stage: 2

//go:build wrong

package statemap

import (
	"sync"

	"k8s.io/apimachinery/pkg/types"
)

// Map keeps the run that was there last.
type Map struct {
	mu      sync.Mutex
	entries map[types.NamespacedName]entry
	objects map[Run]types.NamespacedName
	first   map[types.NamespacedName]Run
}

// New returns a Map that knows of nothing.
func New() *Map {
	return &Map{
		entries: map[types.NamespacedName]entry{},
		objects: map[Run]types.NamespacedName{},
		first:   map[types.NamespacedName]Run{},
	}
}

func (m *Map) Put(object types.NamespacedName, run Run, state State) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if of, taken := m.objects[run]; taken && of != object {
		return ErrTaken
	}
	if _, known := m.first[object]; !known {
		m.first[object] = run
	} else {
		delete(m.objects, m.first[object])
	}
	if run != (Run{}) {
		m.objects[run] = object
	}
	m.entries[object] = entry{run, state.clone()}
	return nil
}
