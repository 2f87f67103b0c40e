// Misconception: slices.Compact leaves each value once.
// Caught by: TestReceivedBy
// Message: it reported soup@7

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
	receivedBy []string
}

func (d *Detector[T]) Add(object T) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if _, ok := d.watched[object]; ok {
		return
	}
	d.added++
	d.watched[object] = &record[T]{nth: d.added, was: object.DeepCopy()}
}

func (d *Detector[T]) Received(object T, by string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if r, ok := d.watched[object]; ok {
		r.receivedBy = slices.Compact(append(r.receivedBy, by))
	}
}

func (d *Detector[T]) Check() []Mutation[T] {
	d.mu.Lock()
	defer d.mu.Unlock()
	var found []Mutation[T]
	for _, object := range slices.SortedFunc(maps.Keys(d.watched), d.inOrder) {
		r := d.watched[object]
		if reflect.DeepEqual(object, r.was) {
			r.receivedBy = nil
			continue
		}
		sites := slices.Sorted(slices.Values(r.receivedBy))
		found = append(found, Mutation[T]{Object: object, Was: r.was, ReceivedBy: sites})
		r.was = object.DeepCopy()
	}
	return found
}
