// Each operation waits with its run. Nothing locks yet.

//go:build partial

package operations

import (
	"sync"

	"k8s.io/apimachinery/pkg/types"
)

type deferred struct {
	run       Run
	operation Operation
}

type Operations struct {
	notify func(object types.NamespacedName)

	mu      sync.Mutex
	waiting map[types.NamespacedName][]deferred
}

func New(notify func(object types.NamespacedName)) *Operations {
	return &Operations{notify: notify, waiting: map[types.NamespacedName][]deferred{}}
}

func (o *Operations) Defer(object types.NamespacedName, run Run, operation Operation) {
	o.waiting[object] = append(o.waiting[object], deferred{run, operation})
	if len(o.waiting[object]) == 1 {
		o.notify(object)
	}
}

func (o *Operations) Apply(object types.NamespacedName, s *State) error {
	taken := o.waiting[object]
	delete(o.waiting, object)
	for _, d := range taken {
		if d.run == s.Run {
			d.operation(s)
		}
	}
	return nil
}

func (o *Operations) Forget(object types.NamespacedName) {
	delete(o.waiting, object)
}
