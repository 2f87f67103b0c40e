// Package operations has its lists in a channel, out of which whoever needs them takes them.
package operations

import (
	"errors"
	"fmt"

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

// Operations have their lists in a channel.
type Operations struct {
	notify func(object types.NamespacedName)
	turn   chan map[types.NamespacedName]list
}

// list is a list of closures that know for which run they are.
type list []func(s *State) error

// New returns Operations with empty lists.
func New(notify func(object types.NamespacedName)) *Operations {
	o := &Operations{notify, make(chan map[types.NamespacedName]list, 1)}
	o.turn <- map[types.NamespacedName]list{}
	return o
}

// Defer implements the exercise.
func (o *Operations) Defer(object types.NamespacedName, run Run, operation Operation) {
	lists := <-o.turn
	l, waits := lists[object]
	lists[object] = append(l, func(s *State) error { return call(s, run, operation) })
	o.turn <- lists
	if !waits {
		o.notify(object)
	}
}

func call(s *State, run Run, operation Operation) (err error) {
	if s.Run != run {
		return nil
	}
	defer func(before State) {
		switch p := recover().(type) {
		case nil:
		case error:
			*s, err = before, fmt.Errorf("panic: %w", p)
		default:
			*s, err = before, errors.New(fmt.Sprint("panic: ", p))
		}
	}(*s)
	operation(s)
	return nil
}

func (o *Operations) take(object types.NamespacedName) list {
	lists := <-o.turn
	defer func() { o.turn <- lists }()
	l := lists[object]
	delete(lists, object)
	return l
}

// Apply implements the exercise.
func (o *Operations) Apply(object types.NamespacedName, s *State) error {
	var all error
	for _, f := range o.take(object) {
		all = errors.Join(all, f(s))
	}
	return all
}

// Forget implements the exercise.
func (o *Operations) Forget(object types.NamespacedName) { o.take(object) }
