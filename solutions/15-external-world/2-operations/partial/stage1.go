// A list for each object.

//go:build partial

package operations

import (
	"sync"

	"k8s.io/apimachinery/pkg/types"
)

type Operations struct {
	notify func(object types.NamespacedName)

	mu      sync.Mutex
	waiting map[types.NamespacedName][]Operation
}

func New(notify func(object types.NamespacedName)) *Operations {
	return &Operations{notify: notify, waiting: map[types.NamespacedName][]Operation{}}
}

func (o *Operations) Defer(object types.NamespacedName, run Run, operation Operation) {
	o.waiting[object] = append(o.waiting[object], operation)
}

func (o *Operations) Apply(object types.NamespacedName, s *State) error {
	for _, operation := range o.waiting[object] {
		operation(s)
	}
	delete(o.waiting, object)
	return nil
}
