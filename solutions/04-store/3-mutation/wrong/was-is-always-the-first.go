// Breaks: Was is a copy of what the object was at its Add or, if it was reported since, at its last report.
// Caught by: TestReportedOnce
// Message: in Was, Data["a"] is "1" instead of "3"

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
	receivedBy map[string]bool
	first      T // at its Add
}

func (d *Detector[T]) Add(object T) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if _, ok := d.watched[object]; ok {
		return
	}
	d.added++
	was := object.DeepCopy()
	d.watched[object] = &record[T]{d.added, was, map[string]bool{}, was.DeepCopy()}
}

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
		found = append(found, Mutation[T]{Object: object, Was: r.first.DeepCopy(), ReceivedBy: sites})
		r.was = object.DeepCopy()
	}
	return found
}
