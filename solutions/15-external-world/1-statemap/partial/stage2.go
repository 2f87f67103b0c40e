// Put looks for another object that has the run, and the zero Run is never found.

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
	if of, _, taken := m.ByRun(run); taken && of != object {
		return ErrTaken
	}
	m.known[object] = known{run, state}
	return nil
}

func (m *Map) ByObject(object types.NamespacedName) (run Run, state State, found bool) {
	k, found := m.known[object]
	return k.run, k.state, found
}

func (m *Map) ByRun(run Run) (object types.NamespacedName, state State, found bool) {
	for object, k := range m.known {
		if k.run == run && run != (Run{}) {
			return object, k.state, true
		}
	}
	return object, state, false
}

func (m *Map) Delete(object types.NamespacedName) {
	delete(m.known, object)
}
