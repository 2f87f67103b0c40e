// Misconception: who only looks needs no lock.
// Caught by: TestManyAtTheSameTime
// Message: data race

//go:build wrong

package mutation

import (
	"maps"
	"reflect"
	"slices"
)

func (d *Detector[T]) Check() []Mutation[T] {
	var found []Mutation[T]
	for _, object := range slices.SortedFunc(maps.Keys(d.watched), d.inOrder) {
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
