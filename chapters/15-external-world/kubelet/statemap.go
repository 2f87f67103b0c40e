package kubelet

import (
	"errors"
	"fmt"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/types"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/15-external-world/machine"
)

// State is what a controller knows of an object's process. It is a cache of the machine's folder and can be read from
// there anew at any time; what the folder has not is how far a stop or a series of failed starts has come, and a new
// controller begins those from the start.
type State struct {
	Run  machine.Run  // the world's key: the run that the rest is about
	Seen machine.Seen // what the machine has said last

	Next   *machine.Spec // what is to be started, until the machine has said what came of it
	Queued bool          // Next waits for its start, or is being started
	Before *machine.Exit // how the run before Run has ended; nil if this controller did not see it. Never written to

	Failure  string    // why the last start failed; empty if it did not
	Failures int32     // starts that failed, in a row
	NotUntil time.Time // when a start that failed is tried again

	Terminated time.Time // when the process got SIGTERM; zero if nobody stops it
	Killed     time.Time // when it got SIGKILL
	LearnedAt  time.Time // when it was lost: an end that nobody saw has no time
}

// clone returns a copy that shares nothing that is ever written.
func (s State) clone() State {
	s.Seen = cloneSeen(s.Seen)
	if s.Next != nil {
		next := cloneSpec(*s.Next)
		s.Next = &next
	}
	return s
}

func cloneSpec(s machine.Spec) machine.Spec {
	s.Args, s.Env = append([]string(nil), s.Args...), append([]string(nil), s.Env...)
	return s
}

func cloneSeen(s machine.Seen) machine.Seen {
	s.Spec = cloneSpec(s.Spec)
	if s.Exit != nil {
		exit := *s.Exit
		if exit.Code != nil {
			code := *exit.Code
			exit.Code = &code
		}
		s.Exit = &exit
	}
	return s
}

// What an update of a StateMap is refused for.
var (
	ErrChanged = errors.New("the object has another run by now")
	ErrTaken   = errors.New("the run belongs to another object")
)

// StateMap keeps a state for each object. It has two keys: the controller asks by the object's, and the world, which
// knows no objects, by the run's. An object has one run at most, and a run one object.
//
// What it hands out and what it takes are copies. So a goroutine that has borrowed a state changes its own, and what it
// has changed counts when it says so, by [StateMap.Update], and not before.
//
// Upstream's nearest is pkg/kubelet/container/cache.go, by UID alone; the kubelet's podStatuses and podSyncStatuses
// (pkg/kubelet/status, pod_workers.go) are maps by UID with a lock each.
type StateMap struct {
	lock   sync.RWMutex // guards what follows
	states map[types.NamespacedName]State
	owners map[machine.Run]types.NamespacedName
}

// NewStateMap makes one that is empty.
func NewStateMap() *StateMap {
	return &StateMap{states: map[types.NamespacedName]State{}, owners: map[machine.Run]types.NamespacedName{}}
}

// Borrow returns a copy of an object's state, and whether there is one.
func (m *StateMap) Borrow(object types.NamespacedName) (State, bool) {
	m.lock.RLock()
	defer m.lock.RUnlock()
	s, ok := m.states[object]
	return s.clone(), ok
}

// Owner returns the object that a run belongs to, and whether it belongs to one.
func (m *StateMap) Owner(run machine.Run) (types.NamespacedName, bool) {
	m.lock.RLock()
	defer m.lock.RUnlock()
	object, ok := m.owners[run]
	return object, ok
}

// Update keeps a copy of a state. before is the run that the state had when it was borrowed, or no run if there was no
// state. If it has another by now, nothing is kept, and the error is [ErrChanged]; it is [ErrTaken] if the state's run
// belongs to another object.
func (m *StateMap) Update(object types.NamespacedName, before machine.Run, s State) error {
	m.lock.Lock()
	defer m.lock.Unlock()
	if has := m.states[object].Run; has != before {
		return fmt.Errorf("%w: %v, and not %v", ErrChanged, has, before)
	}
	if owner, ok := m.owners[s.Run]; ok && owner != object {
		return fmt.Errorf("%w: %v is of %s", ErrTaken, s.Run, owner)
	}
	delete(m.owners, before)
	m.owners[s.Run] = object
	m.states[object] = s.clone()
	return nil
}

// Delete forgets an object's state. If it has another run than before by now, nothing is forgotten, and the error is
// [ErrChanged].
func (m *StateMap) Delete(object types.NamespacedName, before machine.Run) error {
	m.lock.Lock()
	defer m.lock.Unlock()
	if has := m.states[object].Run; has != before {
		return fmt.Errorf("%w: %v, and not %v", ErrChanged, has, before)
	}
	delete(m.owners, before)
	delete(m.states, object)
	return nil
}

// Len is how many objects have a state.
func (m *StateMap) Len() int {
	m.lock.RLock()
	defer m.lock.RUnlock()
	return len(m.states)
}
