// Misconception: an object that nobody received since needs no look.
// Caught by: TestEachLevel
// Message: the belief that nobody has an object that nobody was seen to receive

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
		if len(r.receivedBy) == 0 {
			continue
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
