// Package statemap has one map for both keys, which are of different types. A state lies there as JSON.
package statemap

import (
	"encoding/json"
	"errors"
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

// Map finds a record by a types.NamespacedName or by a Run.
type Map struct {
	mu      sync.Mutex
	records map[any]*record
}

type record struct {
	object types.NamespacedName
	run    Run
	state  []byte
}

// New returns a Map without a record.
func New() *Map { return &Map{records: make(map[any]*record)} }

func (m *Map) get(key any) (r record, state State, found bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	at, found := m.records[key]
	if !found {
		return record{}, State{}, false
	}
	if err := json.Unmarshal(at.state, &state); err != nil {
		panic(err)
	}
	return *at, state, true
}

// ByObject implements the exercise.
func (m *Map) ByObject(object types.NamespacedName) (Run, State, bool) {
	r, state, found := m.get(object)
	return r.run, state, found
}

// ByRun implements the exercise.
func (m *Map) ByRun(run Run) (types.NamespacedName, State, bool) {
	r, state, found := m.get(run)
	return r.object, state, found
}

// Put implements the exercise.
func (m *Map) Put(object types.NamespacedName, run Run, state State) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if other := m.records[run]; other != nil && other.object != object {
		return ErrTaken
	}
	m.forget(object)
	text, err := json.Marshal(state)
	if err != nil {
		return err
	}
	r := &record{object, run, text}
	m.records[object] = r
	if run.UID != "" || run.Attempt != 0 {
		m.records[run] = r
	}
	return nil
}

func (m *Map) forget(object types.NamespacedName) {
	if r := m.records[object]; r != nil {
		delete(m.records, object)
		delete(m.records, r.run)
	}
}

// Delete implements the exercise.
func (m *Map) Delete(object types.NamespacedName) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.forget(object)
}

// Update implements the exercise.
func (m *Map) Update(object types.NamespacedName, run Run, state State) error {
	text, err := json.Marshal(state)
	if err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	r := m.records[object]
	switch {
	case r == nil:
		return ErrStale
	case r.run != run:
		return ErrStale
	}
	r.state = text // both keys lead here
	return nil
}
