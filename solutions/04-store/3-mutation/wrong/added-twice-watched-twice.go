// Misconception: each Add is of an object of its own.
// Caught by: TestAddAgain
// Message: it reported soup@7, received by sync; soup@7, received by sync
// Removes: Detector.inOrder

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
	watched []*record[T]
}

// record is what is known of an object that is watched.
type record[T any] struct {
	object, was T
	receivedBy  map[string]bool
}

func New[T Object[T]]() *Detector[T] { return &Detector[T]{} }

func (d *Detector[T]) Add(object T) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.watched = append(d.watched, &record[T]{object, object.DeepCopy(), map[string]bool{}})
}

func (d *Detector[T]) Remove(object T) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.watched = slices.DeleteFunc(d.watched, func(r *record[T]) bool { return r.object == object })
}

func (d *Detector[T]) Received(object T, by string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, r := range d.watched {
		if r.object == object {
			r.receivedBy[by] = true
		}
	}
}

func (d *Detector[T]) Check() []Mutation[T] {
	d.mu.Lock()
	defer d.mu.Unlock()
	var found []Mutation[T]
	for _, r := range d.watched {
		if reflect.DeepEqual(r.object, r.was) {
			clear(r.receivedBy)
			continue
		}
		sites := slices.Sorted(maps.Keys(r.receivedBy))
		found = append(found, Mutation[T]{Object: r.object, Was: r.was, ReceivedBy: sites})
		r.was = r.object.DeepCopy()
	}
	return found
}
