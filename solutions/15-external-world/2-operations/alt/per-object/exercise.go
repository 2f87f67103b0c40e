// Package operations has a list with a lock for each object, in a sync.Map.
package operations

import (
	"fmt"
	"sync"

	"k8s.io/apimachinery/pkg/types"
)

// Run is one start.
type Run struct {
	UID     types.UID
	Attempt int
}

// State is what is known.
type State struct {
	Run   Run
	Phase string
}

// Operation changes a state.
type Operation func(s *State)

// Operations have a line for each object.
type Operations struct {
	notify func(object types.NamespacedName)
	lines  sync.Map // by object, *line
}

type line struct {
	sync.Mutex
	runs       []Run
	operations []Operation
}

// New returns Operations without a line.
func New(notify func(object types.NamespacedName)) *Operations { return &Operations{notify: notify} }

// Defer implements the exercise.
func (o *Operations) Defer(object types.NamespacedName, run Run, operation Operation) {
	l := o.line(object)
	l.Lock()
	l.runs, l.operations = append(l.runs, run), append(l.operations, operation)
	tell := len(l.runs) == 1
	l.Unlock()
	if tell {
		o.notify(object)
	}
}

func (o *Operations) line(object types.NamespacedName) *line {
	l, _ := o.lines.LoadOrStore(object, &line{})
	return l.(*line)
}

func (l *line) take() (runs []Run, operations []Operation) {
	l.Lock()
	defer l.Unlock()
	runs, operations = l.runs, l.operations
	l.runs, l.operations = nil, nil
	return runs, operations
}

// Apply implements the exercise.
func (o *Operations) Apply(object types.NamespacedName, s *State) (err error) {
	runs, operations := o.line(object).take()
	for i, run := range runs {
		if run != s.Run {
			continue
		}
		changed := *s
		func() {
			defer func() {
				if p := recover(); p != nil {
					err = fmt.Errorf("operation %d of %v: %v", i, object, p)
					return
				}
				*s = changed
			}()
			operations[i](&changed)
		}()
	}
	return err
}

// Forget implements the exercise.
func (o *Operations) Forget(object types.NamespacedName) { o.line(object).take() }
