// Breaks: Check compares each object that is watched with what it was, and returns a Mutation for each one that
// somebody wrote to, in the order in which they were added.
// Caught by: TestOrder
// Message: it reported bread@7, received by nobody; salt@7

//go:build wrong

package mutation

import (
	"maps"
	"reflect"
	"slices"
)

func (d *Detector[T]) Check() []Mutation[T] {
	d.mu.Lock()
	defer d.mu.Unlock()
	var found []Mutation[T]
	for _, object := range slices.SortedFunc(maps.Keys(d.watched), d.inOrder) {
		r := d.watched[object]
		if reflect.DeepEqual(object, r.was) {
			clear(r.receivedBy)
			continue
		}
		sites := slices.Sorted(maps.Keys(r.receivedBy))
		found = append(found, Mutation[T]{Object: object, Was: r.was, ReceivedBy: sites})
		d.added++
		r.nth, r.was = d.added, object.DeepCopy()
	}
	return found
}
