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
	//solution:begin
	"fmt"
	//solution:end
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
	//solution:begin
	//todo: what waits
	waiting map[types.NamespacedName][]deferred
	//solution:end
}

// New returns Operations of which none waits. From stage 2 on notify is told which objects need a run.
func New(notify func(object types.NamespacedName)) *Operations {
	//solution:begin
	//stub: return &Operations{notify: notify}
	return &Operations{notify: notify, waiting: map[types.NamespacedName][]deferred{}}
	//solution:end
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
	//solution:begin
	//todo: let it wait
	o.mu.Lock()
	before := len(o.waiting[object])
	o.waiting[object] = append(o.waiting[object], deferred{run, operation})
	o.mu.Unlock()
	if before == 0 {
		o.notify(object)
	}
	//solution:end
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
	//solution:begin
	//todo: call what waits
	//stub: return errors.New("Apply is not written yet")
	o.mu.Lock()
	taken := o.waiting[object]
	delete(o.waiting, object)
	o.mu.Unlock()
	var failures []error
	for _, d := range taken {
		if d.run == s.Run {
			failures = append(failures, try(d.operation, s))
		}
	}
	return errors.Join(failures...)
	//solution:end
}

// Forget is called when an object is gone.
//
// Stage 3: each for one run
//   - The object's operations are dropped.
func (o *Operations) Forget(object types.NamespacedName) {
	//solution:begin
	//todo: drop what waits
	o.mu.Lock()
	defer o.mu.Unlock()
	delete(o.waiting, object)
	//solution:end
}

//solution:begin

// deferred is an operation that waits.
type deferred struct {
	run       Run
	operation Operation
}

// try calls an operation. One that panics has not been.
func try(operation Operation, s *State) (err error) {
	before := *s
	defer func() {
		if p := recover(); p != nil {
			*s = before
			err = fmt.Errorf("an operation has panicked: %v", p)
		}
	}()
	operation(s)
	return nil
}

//solution:end
