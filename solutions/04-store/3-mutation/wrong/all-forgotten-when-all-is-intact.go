// Breaks: The call sites of an object that is found intact are forgotten, and only they.
// Caught by: TestReceivedSinceItWasIntact
// Message: it reported soup@7, received by list; bread@7, received by gc

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
			continue
		}
		sites := slices.Sorted(maps.Keys(r.receivedBy))
		found = append(found, Mutation[T]{Object: object, Was: r.was, ReceivedBy: sites})
		r.was = object.DeepCopy()
	}
	if len(found) == 0 {
		for _, r := range d.watched {
			clear(r.receivedBy)
		}
	}
	return found
}
