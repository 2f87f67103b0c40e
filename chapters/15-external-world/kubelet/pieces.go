package kubelet

import (
	"k8s.io/apimachinery/pkg/types"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/15-external-world/machine"
)

// Pieces are parts of a Kubelet that may be somebody else's: a reader's of the exercises. What is nil is this
// package's.
type Pieces struct {
	States     States
	Operations Deferred
	Starter    func(most int, start func(machine.Spec)) Background
}

// States is what a Kubelet needs of a [StateMap].
type States interface {
	Borrow(object types.NamespacedName) (State, bool)
	Owner(run machine.Run) (types.NamespacedName, bool)
	Update(object types.NamespacedName, before machine.Run, s State) error
	Delete(object types.NamespacedName, before machine.Run) error
}

// Deferred is what it needs of [Operations].
type Deferred interface {
	Queue(object types.NamespacedName, run machine.Run, do Operation)
	Apply(object types.NamespacedName, s *State) (applied int)
}

// Background is what it needs of a [Starter].
type Background interface {
	Add(spec machine.Spec)
	Remove(run machine.Run) bool
	Before(run machine.Run) int
	Stop()
}

// orOurs has this package's parts for those that are nil.
func (p Pieces) orOurs() Pieces {
	if p.States == nil {
		p.States = NewStateMap()
	}
	if p.Operations == nil {
		p.Operations = NewOperations()
	}
	if p.Starter == nil {
		p.Starter = func(most int, start func(machine.Spec)) Background { return NewStarter(most, start) }
	}
	return p
}
