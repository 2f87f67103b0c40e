// Misconception: what the caller has read can be written over: it saves an allocation.
// Caught by: TestReportsAreTheCallers
// Message: it is the report about bread@7, received by nobody

//go:build wrong

package mutation

import (
	"maps"
	"reflect"
	"slices"
	"sync"
)

type Detector[T Object[T]] struct {
	mu      sync.Mutex
	watched map[T]*record[T]
	added   int // so many objects were added so far
	found   []Mutation[T]
}

func (d *Detector[T]) Check() []Mutation[T] {
	d.mu.Lock()
	defer d.mu.Unlock()
	found := d.found[:0]
	for _, object := range slices.SortedFunc(maps.Keys(d.watched), d.inOrder) {
		r := d.watched[object]
		if reflect.DeepEqual(object, r.was) {
			clear(r.receivedBy)
			continue
		}
		sites := slices.Sorted(maps.Keys(r.receivedBy))
		found = append(found, Mutation[T]{Object: object, Was: r.was, ReceivedBy: sites})
		r.was = object.DeepCopy()
	}
	d.found = found
	return found
}
