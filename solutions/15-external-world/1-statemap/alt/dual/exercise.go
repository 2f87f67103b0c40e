// Package statemap puts a map with two keys of any types below it, and one goroutine at a time has the map.
package statemap

import (
	"errors"
	"slices"

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

// dual is a map with two keys. The second one may be missing.
type dual[K1, K2 comparable, V any] struct {
	values  map[K1]V
	seconds map[K1]K2
	firsts  map[K2]K1
}

func (d *dual[K1, K2, V]) remove(first K1) {
	if second, has := d.seconds[first]; has {
		delete(d.firsts, second)
	}
	delete(d.seconds, first)
	delete(d.values, first)
}

func (d *dual[K1, K2, V]) store(first K1, second K2, value V) {
	var none K2
	d.remove(first)
	d.values[first] = value
	if second != none {
		d.seconds[first], d.firsts[second] = second, first
	}
}

type inner = dual[types.NamespacedName, Run, State]

// Map has its dual map in a channel, out of which whoever needs it takes it.
type Map struct{ turn chan *inner }

// New returns a Map without anything in it.
func New() *Map {
	m := &Map{make(chan *inner, 1)}
	m.turn <- &inner{map[types.NamespacedName]State{}, map[types.NamespacedName]Run{}, map[Run]types.NamespacedName{}}
	return m
}

func (m *Map) with(f func(d *inner)) {
	d := <-m.turn
	defer func() { m.turn <- d }()
	f(d)
}

func fresh(s State) State { return State{s.Phase, slices.Clone(s.Exits)} }

// Put implements the exercise.
func (m *Map) Put(object types.NamespacedName, run Run, state State) (err error) {
	m.with(func(d *inner) {
		if has, taken := d.firsts[run]; taken && has != object {
			err = ErrTaken
			return
		}
		d.store(object, run, fresh(state))
	})
	return err
}

// ByObject implements the exercise.
func (m *Map) ByObject(object types.NamespacedName) (run Run, state State, found bool) {
	m.with(func(d *inner) {
		state, found = d.values[object]
		run, state = d.seconds[object], fresh(state)
	})
	return run, state, found
}

// ByRun implements the exercise.
func (m *Map) ByRun(run Run) (object types.NamespacedName, state State, found bool) {
	m.with(func(d *inner) {
		if object, found = d.firsts[run]; found {
			state = fresh(d.values[object])
		}
	})
	return object, state, found
}

// Delete implements the exercise.
func (m *Map) Delete(object types.NamespacedName) {
	m.with(func(d *inner) { d.remove(object) })
}

// Update implements the exercise.
func (m *Map) Update(object types.NamespacedName, run Run, state State) (err error) {
	m.with(func(d *inner) {
		if _, found := d.values[object]; !found || d.seconds[object] != run {
			err = ErrStale
			return
		}
		d.store(object, run, fresh(state))
	})
	return err
}
