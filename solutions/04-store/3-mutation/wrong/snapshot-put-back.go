// Breaks: Several goroutines may use it at the same time.
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
	all := map[T]record[T]{}
	for object, r := range d.watched {
		all[object] = record[T]{r.nth, r.was, maps.Clone(r.receivedBy)}
	}
	inOrder := slices.SortedFunc(maps.Keys(d.watched), d.inOrder)
	d.mu.Unlock()
	var found []Mutation[T]
	for _, object := range inOrder {
		r := all[object]
		if reflect.DeepEqual(object, r.was) {
			r.receivedBy = map[string]bool{}
		} else {
			sites := slices.Sorted(maps.Keys(r.receivedBy))
			found = append(found, Mutation[T]{Object: object, Was: r.was, ReceivedBy: sites})
			r.was = object.DeepCopy()
		}
		all[object] = r
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	for object, r := range all {
		d.watched[object] = &r
	}
	return found
}
