package main

import (
	"errors"
	"fmt"
	"strconv"
	"sync"

	"k8s.io/apimachinery/pkg/types"

	statemap "github.com/controllers-from-scratch/controllers-from-scratch/chapters/15-external-world/exercises/1-statemap"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/15-external-world/kubelet"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/15-external-world/machine"
)

// states is the kubelet's map, in which the reader's Map says what is found under which key. The kubelet's state has
// more in it than the reader's: so that has a number as its Phase, under which the kubelet's is kept here. What a later
// stage of the Map does, the book does until then.
type states struct {
	deletes bool // stage 2 is written
	updates bool // stage 3 is

	lock   sync.Mutex // around all of it: until stage 4 the Map has none
	yours  *statemap.Map
	kept   map[string]kubelet.State
	number int
}

func newStates() *states {
	s := &states{yours: statemap.New(), kept: map[string]kubelet.State{}}
	probe, object, run := statemap.New(), types.NamespacedName{Name: "probe"}, statemap.Run{UID: "probe", Attempt: 1}
	if probe.Put(object, run, statemap.State{Phase: "old"}) != nil {
		return s
	}
	failed := probe.Update(object, run, statemap.State{Phase: "new"})
	_, state, _ := probe.ByObject(object)
	s.updates = failed == nil && state.Phase == "new"
	probe.Delete(object)
	_, _, found := probe.ByObject(object)
	s.deletes = !found
	return s
}

// missing says what the book does.
func (s *states) missing() string {
	switch {
	case !s.deletes:
		return "Stage 2 of 15.1 is still to be written. Until then the book deletes."
	case !s.updates:
		return "Stage 3 of 15.1 is still to be written. Until then the book looks whether a state is still about its run."
	}
	return ""
}

// look is what the Map finds under an object's key. The lock is held.
func (s *states) look(object types.NamespacedName) (run machine.Run, phase string, found bool) {
	yours, state, found := s.yours.ByObject(object)
	if _, kept := s.kept[state.Phase]; !found || !kept {
		return machine.Run{}, "", false
	}
	return machine.Run(yours), state.Phase, true
}

// Borrow implements kubelet.States.
func (s *states) Borrow(object types.NamespacedName) (kubelet.State, bool) {
	s.lock.Lock()
	defer s.lock.Unlock()
	run, phase, found := s.look(object)
	state := s.kept[phase]
	return state, found && state.Run == run
}

// Owner implements kubelet.States.
func (s *states) Owner(run machine.Run) (types.NamespacedName, bool) {
	s.lock.Lock()
	defer s.lock.Unlock()
	object, _, found := s.yours.ByRun(statemap.Run(run))
	return object, found
}

// Update implements kubelet.States.
func (s *states) Update(object types.NamespacedName, before machine.Run, state kubelet.State) error {
	s.lock.Lock()
	defer s.lock.Unlock()
	has, old, found := s.look(object)
	if has != before {
		return fmt.Errorf("%w: %v, and not %v", kubelet.ErrChanged, has, before)
	}
	s.number++
	phase := strconv.Itoa(s.number)
	var err error
	if found && s.updates && state.Run == before {
		err = s.yours.Update(object, statemap.Run(before), statemap.State{Phase: phase})
	} else {
		err = s.yours.Put(object, statemap.Run(state.Run), statemap.State{Phase: phase})
	}
	if errors.Is(err, statemap.ErrTaken) {
		return fmt.Errorf("%w: %v", kubelet.ErrTaken, state.Run)
	}
	if err != nil {
		return err
	}
	delete(s.kept, old)
	s.kept[phase] = state
	return nil
}

// Delete implements kubelet.States.
func (s *states) Delete(object types.NamespacedName, before machine.Run) error {
	s.lock.Lock()
	defer s.lock.Unlock()
	has, old, found := s.look(object)
	if has != before {
		return fmt.Errorf("%w: %v, and not %v", kubelet.ErrChanged, has, before)
	}
	if found {
		s.yours.Delete(object)
		delete(s.kept, old)
	}
	return nil
}

// len is how many states are kept.
func (s *states) len() int {
	s.lock.Lock()
	defer s.lock.Unlock()
	return len(s.kept)
}

// finds is what the Map finds under both keys, in words.
func (s *states) finds(object types.NamespacedName, run machine.Run) (byObject, byRun string) {
	s.lock.Lock()
	defer s.lock.Unlock()
	byObject, byRun = "nothing", "nothing"
	if yours, _, found := s.yours.ByObject(object); found {
		byObject = fmt.Sprintf("attempt %d", yours.Attempt)
	}
	if yours, _, found := s.yours.ByRun(statemap.Run(run)); found {
		byRun = yours.Name
	}
	return byObject, byRun
}
