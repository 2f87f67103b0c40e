// Misconception: a detector that finds a write takes it back, so that the cache is true again.
// Caught by: TestEachLevel
// Message: in it, ResourceVersion is "7" instead of "8"

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
		reflect.ValueOf(object).Elem().Set(reflect.ValueOf(r.was.DeepCopy()).Elem())
	}
	return found
}
