// Breaks: No later Check reports it, not even if somebody wrote to it before.
// Caught by: TestRemove
// Message: it reported soup@7, received by list; bread@7

//go:build wrong

package mutation

import (
	"maps"
	"reflect"
	"slices"
)

// record is what is known of an object that is watched.
type record[T any] struct {
	nth        int // its place in the order of Add
	was        T
	receivedBy map[string]bool
	removed    bool
}

func (d *Detector[T]) Remove(object T) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if r, ok := d.watched[object]; ok {
		r.removed = true
	}
}

func (d *Detector[T]) Add(object T) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if r, ok := d.watched[object]; ok && !r.removed {
		return
	}
	d.added++
	d.watched[object] = &record[T]{nth: d.added, was: object.DeepCopy(), receivedBy: map[string]bool{}}
}

func (d *Detector[T]) Received(object T, by string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if r, ok := d.watched[object]; ok && !r.removed {
		r.receivedBy[by] = true
	}
}

func (d *Detector[T]) Check() []Mutation[T] {
	d.mu.Lock()
	defer d.mu.Unlock()
	var found []Mutation[T]
	for _, object := range slices.SortedFunc(maps.Keys(d.watched), d.inOrder) {
		r := d.watched[object]
		if r.removed {
			delete(d.watched, object)
		}
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
