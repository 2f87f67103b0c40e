// Misconception: an object that was told of is known.
// Caught by: TestForget
// Message: the belief that what was told once is known

//go:build wrong

package operations

import (
	"errors"
	"sync"

	"k8s.io/apimachinery/pkg/types"
)

// Operations remember who was told.
type Operations struct {
	notify func(object types.NamespacedName)

	mu      sync.Mutex
	waiting map[types.NamespacedName][]deferred
	told    map[types.NamespacedName]bool
}

// New returns Operations of which none waits.
func New(notify func(object types.NamespacedName)) *Operations {
	return &Operations{
		notify:  notify,
		waiting: map[types.NamespacedName][]deferred{},
		told:    map[types.NamespacedName]bool{},
	}
}

func (o *Operations) Defer(object types.NamespacedName, run Run, operation Operation) {
	o.mu.Lock()
	told := o.told[object]
	o.told[object] = true
	o.waiting[object] = append(o.waiting[object], deferred{run, operation})
	o.mu.Unlock()
	if !told {
		o.notify(object)
	}
}

func (o *Operations) Apply(object types.NamespacedName, s *State) error {
	o.mu.Lock()
	taken := o.waiting[object]
	delete(o.waiting, object)
	delete(o.told, object)
	o.mu.Unlock()
	var failures []error
	for _, d := range taken {
		if d.run == s.Run {
			failures = append(failures, try(d.operation, s))
		}
	}
	return errors.Join(failures...)
}
