// Misconception: the lock is only for the map: what is compared needs none.
// Caught by: TestManyAtTheSameTime
// Message: of four Checks at the same time

//go:build wrong

package mutation

import (
	"maps"
	"reflect"
	"slices"
)

func (d *Detector[T]) Check() []Mutation[T] {
	d.mu.Lock()
	all := slices.SortedFunc(maps.Keys(d.watched), d.inOrder)
	records := maps.Clone(d.watched)
	d.mu.Unlock()
	var found []Mutation[T]
	for _, object := range all {
		r := records[object]
		intact := reflect.DeepEqual(object, r.was)
		d.mu.Lock()
		if intact {
			clear(r.receivedBy)
		} else {
			sites := slices.Sorted(maps.Keys(r.receivedBy))
			found = append(found, Mutation[T]{Object: object, Was: r.was, ReceivedBy: sites})
			r.was = object.DeepCopy()
		}
		d.mu.Unlock()
	}
	return found
}
