// Package operations has one line for all objects, in the order in which operations came.
package operations

import (
	"fmt"
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
	Run   Run
	Phase string
}

// Operation changes a state.
type Operation func(s *State)

// Operations stand in one line.
type Operations struct {
	notify func(object types.NamespacedName)

	mu   sync.RWMutex
	line []waiting
}

type waiting struct {
	object    types.NamespacedName
	run       Run
	operation Operation
}

// New returns Operations with an empty line.
func New(notify func(object types.NamespacedName)) *Operations { return &Operations{notify: notify} }

// Defer implements the exercise.
func (o *Operations) Defer(object types.NamespacedName, run Run, operation Operation) {
	if o.enter(waiting{object, run, operation}) {
		o.notify(object)
	}
}

func (o *Operations) enter(w waiting) (first bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	first = !slices.ContainsFunc(o.line, func(other waiting) bool { return other.object == w.object })
	o.line = append(o.line, w)
	return first
}

// leave takes the object's operations out of the line.
func (o *Operations) leave(object types.NamespacedName) (mine []waiting) {
	o.mu.Lock()
	defer o.mu.Unlock()
	var others []waiting
	for _, w := range o.line {
		if w.object == object {
			mine = append(mine, w)
		} else {
			others = append(others, w)
		}
	}
	o.line = others
	return mine
}

// Apply implements the exercise.
func (o *Operations) Apply(object types.NamespacedName, s *State) error {
	said := ""
	for _, w := range o.leave(object) {
		if before := *s; before.Run == w.run {
			if p := panics(func() { w.operation(s) }); p != nil {
				*s = before
				said += fmt.Sprintf("%v panicked: %v; ", w.run, p)
			}
		}
	}
	if said == "" {
		return nil
	}
	return fmt.Errorf("%v: %s", object, said)
}

func panics(f func()) (p any) {
	defer func() { p = recover() }()
	f()
	return nil
}

// Forget implements the exercise.
func (o *Operations) Forget(object types.NamespacedName) { o.leave(object) }
