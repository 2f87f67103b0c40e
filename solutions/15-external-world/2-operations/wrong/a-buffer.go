// Misconception: a channel with room for a thousand has room.
// Caught by: TestDeferWhileApplying
// Message: the belief that a run comes soon

//go:build wrong

package operations

import (
	"errors"
	"sync"

	"k8s.io/apimachinery/pkg/types"
)

// Operations have a channel for each object.
type Operations struct {
	notify func(object types.NamespacedName)

	mu      sync.Mutex
	waiting map[types.NamespacedName]chan deferred
}

// New returns Operations of which none waits.
func New(notify func(object types.NamespacedName)) *Operations {
	return &Operations{notify: notify, waiting: map[types.NamespacedName]chan deferred{}}
}

func (o *Operations) line(object types.NamespacedName) chan deferred {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.waiting[object] == nil {
		o.waiting[object] = make(chan deferred, 1000)
	}
	return o.waiting[object]
}

func (o *Operations) Defer(object types.NamespacedName, run Run, operation Operation) {
	line := o.line(object)
	line <- deferred{run, operation}
	if len(line) == 1 {
		o.notify(object)
	}
}

func (o *Operations) Apply(object types.NamespacedName, s *State) error {
	line := o.line(object)
	var taken []deferred
	for range len(line) {
		taken = append(taken, <-line)
	}
	var failures []error
	for _, d := range taken {
		if d.run == s.Run {
			failures = append(failures, try(d.operation, s))
		}
	}
	return errors.Join(failures...)
}
