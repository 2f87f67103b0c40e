// Package operations is exercise 15.2: what happens between two runs, and waits for the next one.
//
// Only a run changes what a controller knows of an object. An event of the world, and work in the background, defer an
// operation, and the object's next run applies it first:
//
//	o.Defer(web, Run{"b1c9", 2}, func(s *State) { s.Phase = "Ended" }) // an event
//	err := o.Apply(web, &state)                                        // the next run begins
//
// Write Operations, stage by stage, from the standard library. docs/exercises.md says what holds for every exercise.
package operations

import (
	"errors"
	"sync"

	"k8s.io/apimachinery/pkg/types"
)

// Run is the world's key: one start of one object's command. A restart is another Run. A verdict calls it UID/Attempt.
type Run struct {
	UID     types.UID
	Attempt int
}

// State is what a controller knows of an object's process.
type State struct {
	Run   Run
	Phase string
}

// Operation changes a state. In a verdict, x is one that adds an x to the Phase.
type Operation func(s *State)

// Operations are those that wait, of all objects of a controller.
type Operations struct {
	notify func(object types.NamespacedName)

	mu sync.Mutex
	// TODO: what waits
}

// New returns Operations of which none waits. From stage 2 on notify is told which objects need a run.
func New(notify func(object types.NamespacedName)) *Operations {
	return &Operations{notify: notify}
}

// Defer leaves an operation for the object's next Apply.
//
// Stage 2: told once, and what comes meanwhile
//   - It calls notify with the object if no other operation of the object waits.
//   - The operation waits by then: notify may call Apply itself.
//
// Stage 4 (hard): nobody waits for a run, or fails with it
//   - From now on many goroutines call all the methods at once, but Apply for one object one at a time.
//   - It waits for no run: not for one that applies, and not for one to come, however many operations wait.
func (o *Operations) Defer(object types.NamespacedName, run Run, operation Operation) {
	// TODO: let it wait
}

// Apply is what a run of the object does first. s is what the run knows, and the run's to change.
//
// Stage 1: in order, each once
//   - It calls the object's operations with s, in the order in which they were deferred.
//   - No operation is called twice, and other objects' operations wait on.
//
// Stage 2: told once, and what comes meanwhile
//   - What is deferred meanwhile, by an operation, too, waits for the next Apply.
//
// Stage 3: each for one run
//   - An operation is called if, when its turn comes, s.Run is the run that it was deferred for. If not, it is dropped.
//
// Stage 4 (hard): nobody waits for a run, or fails with it
//   - It does not wait for another object's Apply.
//   - An operation that panics leaves s as it was before it, and the others are called.
//   - Apply returns an error then that says what the panic said.
func (o *Operations) Apply(object types.NamespacedName, s *State) error {
	// TODO: call what waits
	return errors.New("Apply is not written yet")
}

// Forget is called when an object is gone.
//
// Stage 3: each for one run
//   - The object's operations are dropped.
func (o *Operations) Forget(object types.NamespacedName) {
	// TODO: drop what waits
}
