// Breaks: Nothing of it is kept: no pointer to it, no copy, and no call site.
// Caught by: TestRemovedIsNotKept
// Message: objects were added and removed, the last one first; nothing keeps them in memory

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
	order   []T
}

func (d *Detector[T]) Add(object T) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if _, ok := d.watched[object]; ok {
		return
	}
	d.watched[object] = &record[T]{was: object.DeepCopy(), receivedBy: map[string]bool{}}
	d.order = append(d.order, object)
}

func (d *Detector[T]) Remove(object T) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if i := slices.Index(d.order, object); i >= 0 {
		d.order = append(d.order[:i], d.order[i+1:]...) // wrong: the pointer stays in the array behind the slice
	}
	delete(d.watched, object)
}

func (d *Detector[T]) Check() []Mutation[T] {
	d.mu.Lock()
	defer d.mu.Unlock()
	var found []Mutation[T]
	for _, object := range d.order {
		r := d.watched[object]
		if reflect.DeepEqual(object, r.was) {
			clear(r.receivedBy)
			continue
		}
		sites := slices.Sorted(maps.Keys(r.receivedBy))
		found = append(found, Mutation[T]{Object: object, Was: r.was, ReceivedBy: sites})
		r.was = object.DeepCopy()
	}
	return found
}
