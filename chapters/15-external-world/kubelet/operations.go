package kubelet

import (
	"sync"

	"k8s.io/apimachinery/pkg/types"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/15-external-world/machine"
)

// Operation changes a state. It is called in a run, with a copy of the state that the run has borrowed.
type Operation func(*State)

// Operations are changes of states that wait for the next run. What happens in the world, and work that goes on in the
// background, never change a state: they say what is to be changed, and the object's next run applies it first. So a
// state has one writer at a time without a lock that is held during a run, and a run sees no change while it decides.
//
// Tilt's Store and Redux's reducers are made like it; so is chapter 08's queue, for keys alone.
type Operations struct {
	lock   sync.Mutex // guards what follows
	queued map[types.NamespacedName][]queued
}

// queued is an operation that waits, and the run that it is about.
type queued struct {
	run machine.Run
	do  Operation
}

// NewOperations makes a queue that is empty.
func NewOperations() *Operations { return &Operations{queued: map[types.NamespacedName][]queued{}} }

// Queue adds an operation for an object. It is about one run of it.
func (o *Operations) Queue(object types.NamespacedName, run machine.Run, do Operation) {
	o.lock.Lock()
	defer o.lock.Unlock()
	o.queued[object] = append(o.queued[object], queued{run, do})
}

// Apply applies what waits for an object, in the order in which it was queued, each once, and returns how many there
// were. An operation that is about another run than the state's by then is dropped: what it has to say is past.
func (o *Operations) Apply(object types.NamespacedName, s *State) (applied int) {
	o.lock.Lock()
	all := o.queued[object]
	delete(o.queued, object)
	o.lock.Unlock()
	for _, one := range all {
		if one.run == s.Run {
			one.do(s)
			applied++
		}
	}
	return applied
}

// Waiting is how many operations wait for an object.
func (o *Operations) Waiting(object types.NamespacedName) int {
	o.lock.Lock()
	defer o.lock.Unlock()
	return len(o.queued[object])
}
