// Misconception: a controller that knows an object looks at it.
// Caught by: TestToldOnce
// Message: the belief that who was told once looks for ever

//go:build wrong

package operations

import (
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
