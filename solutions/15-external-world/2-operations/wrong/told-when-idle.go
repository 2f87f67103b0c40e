// Misconception: a run that is under way sees to what comes.
// Caught by: TestMeanwhile
// Message: the belief that a run that is under way needs no telling

//go:build wrong

package operations

import (
	"errors"
	"sync"

	"k8s.io/apimachinery/pkg/types"
)

// Operations know whose run is under way.
type Operations struct {
	notify func(object types.NamespacedName)

	mu      sync.Mutex
	waiting map[types.NamespacedName][]deferred
	running map[types.NamespacedName]bool
}

// New returns Operations of which none waits.
func New(notify func(object types.NamespacedName)) *Operations {
	return &Operations{
		notify:  notify,
		waiting: map[types.NamespacedName][]deferred{},
		running: map[types.NamespacedName]bool{},
	}
}

func (o *Operations) Defer(object types.NamespacedName, run Run, operation Operation) {
	o.mu.Lock()
	known := o.running[object] || len(o.waiting[object]) > 0
	o.waiting[object] = append(o.waiting[object], deferred{run, operation})
	o.mu.Unlock()
	if !known {
		o.notify(object)
	}
}

func (o *Operations) Apply(object types.NamespacedName, s *State) error {
	o.mu.Lock()
	taken := o.waiting[object]
	delete(o.waiting, object)
	o.running[object] = true
	o.mu.Unlock()
	defer func() {
		o.mu.Lock()
		defer o.mu.Unlock()
		delete(o.running, object)
	}()
	var failures []error
	for _, d := range taken {
		if d.run == s.Run {
			failures = append(failures, try(d.operation, s))
		}
	}
	return errors.Join(failures...)
}
