// One map, and a search for the other key.

//go:build partial

package statemap

import (
	"sync"

	"k8s.io/apimachinery/pkg/types"
)

type known struct {
	run   Run
	state State
}

type Map struct {
	mu    sync.Mutex
	known map[types.NamespacedName]known
}

func New() *Map { return &Map{known: map[types.NamespacedName]known{}} }

func (m *Map) Put(object types.NamespacedName, run Run, state State) error {
	m.known[object] = known{run, state}
	return nil
}

func (m *Map) ByObject(object types.NamespacedName) (run Run, state State, found bool) {
	k, found := m.known[object]
	return k.run, k.state, found
}

func (m *Map) ByRun(run Run) (object types.NamespacedName, state State, found bool) {
	for object, k := range m.known {
		if k.run == run {
			return object, k.state, true
		}
	}
	return object, state, false
}
