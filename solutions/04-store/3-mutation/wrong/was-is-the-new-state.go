// Breaks: Was is a copy of what the object was at its Add or, if it was reported since, at its last report.
// Caught by: TestEachLevel
// Message: in Was, ResourceVersion is "8" instead of "7"

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
		r.was = object.DeepCopy()
		found = append(found, Mutation[T]{Object: object, Was: r.was.DeepCopy(), ReceivedBy: sites})
	}
	return found
}
