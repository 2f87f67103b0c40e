// Package statemap has one entry for an object, to which both keys point, and which is never changed.
package statemap

import (
	"errors"
	"slices"
	"sync"

	"k8s.io/apimachinery/pkg/types"
)

// Run is one start.
type Run struct {
	UID     types.UID
	Attempt int
}

// State is what is known.
type State struct {
	Phase string
	Exits []int
}

// What a call is refused with.
var (
	ErrTaken = errors.New("another object has this run")
	ErrStale = errors.New("the object does not have this run")
)

type entry struct {
	object types.NamespacedName
	run    Run
	state  State
}

// Map has an index for each key.
type Map struct {
	mu       sync.RWMutex
	byObject map[types.NamespacedName]*entry
	byRun    map[Run]*entry
}

// New returns a Map without an entry.
func New() *Map { return &Map{byObject: map[types.NamespacedName]*entry{}, byRun: map[Run]*entry{}} }

// set puts an entry in the place of the object's last one, with the lock held.
func (m *Map) set(e *entry) {
	m.remove(e.object)
	m.byObject[e.object] = e
	if e.run != (Run{}) {
		m.byRun[e.run] = e
	}
}

func (m *Map) remove(object types.NamespacedName) {
	if old := m.byObject[object]; old != nil {
		delete(m.byRun, old.run)
		delete(m.byObject, object)
	}
}

func copied(s State) State { return State{Phase: s.Phase, Exits: append([]int(nil), s.Exits...)} }

// Put implements the exercise.
func (m *Map) Put(object types.NamespacedName, run Run, state State) error {
	e := &entry{object, run, copied(state)}
	m.mu.Lock()
	defer m.mu.Unlock()
	if has := m.byRun[run]; has != nil && has.object != object {
		return ErrTaken
	}
	m.set(e)
	return nil
}

// ByObject implements the exercise.
func (m *Map) ByObject(object types.NamespacedName) (run Run, state State, found bool) {
	m.mu.RLock()
	e := m.byObject[object]
	m.mu.RUnlock()
	if e == nil {
		return Run{}, State{}, false
	}
	return e.run, copied(e.state), true // an entry does not change, so nothing is locked here
}

// ByRun implements the exercise.
func (m *Map) ByRun(run Run) (object types.NamespacedName, state State, found bool) {
	m.mu.RLock()
	e := m.byRun[run]
	m.mu.RUnlock()
	if e == nil {
		return object, state, false
	}
	return e.object, State{Phase: e.state.Phase, Exits: slices.Clone(e.state.Exits)}, true
}

// Delete implements the exercise.
func (m *Map) Delete(object types.NamespacedName) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.remove(object)
}

// Update implements the exercise.
func (m *Map) Update(object types.NamespacedName, run Run, state State) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if e := m.byObject[object]; e == nil || e.run != run {
		return errors.Join(errors.New(object.String()), ErrStale)
	}
	m.set(&entry{object, run, copied(state)})
	return nil
}
