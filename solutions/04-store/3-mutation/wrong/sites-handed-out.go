// Breaks: The detector does not change it later; and what the caller writes to it, to all but the Object, changes
// no later report.
// Caught by: TestReportsAreTheCallers
// Message: it reported soup@7, received by the caller and the caller

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
	receivedBy []string // sorted
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
	r, ok := d.watched[object]
	if !ok {
		return
	}
	if i, there := slices.BinarySearch(r.receivedBy, by); !there {
		r.receivedBy = slices.Insert(r.receivedBy, i, by)
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
		found = append(found, Mutation[T]{Object: object, Was: r.was, ReceivedBy: r.receivedBy})
		r.was = object.DeepCopy()
	}
	return found
}
