// Misconception: a controller has one worker.
// Caught by: TestApplyOfAnother
// Message: the belief that one run at a time is enough

//go:build wrong

package operations

import (
	"errors"
	"sync"

	"k8s.io/apimachinery/pkg/types"
)

// Operations let one run in at a time.
type Operations struct {
	notify func(object types.NamespacedName)

	mu      sync.Mutex
	waiting map[types.NamespacedName][]deferred

	running sync.Mutex
}

func (o *Operations) Apply(object types.NamespacedName, s *State) error {
	o.running.Lock()
	defer o.running.Unlock()
	o.mu.Lock()
	taken := o.waiting[object]
	delete(o.waiting, object)
	o.mu.Unlock()
	var failures []error
	for _, d := range taken {
		if d.run == s.Run {
			failures = append(failures, try(d.operation, s))
		}
	}
	return errors.Join(failures...)
}
