// Apply takes the list before it calls what is on it, and Defer tells whose list was empty.

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
	if len(o.waiting[object]) == 1 {
		o.notify(object)
	}
}

func (o *Operations) Apply(object types.NamespacedName, s *State) error {
	taken := o.waiting[object]
	delete(o.waiting, object)
	for _, operation := range taken {
		operation(s)
	}
	return nil
}
