// Misconception: one report about an object is enough.
// Caught by: TestReportedOnce
// Message: the belief that one report about an object is enough

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
	reported   bool
}

func (d *Detector[T]) Check() []Mutation[T] {
	d.mu.Lock()
	defer d.mu.Unlock()
	var found []Mutation[T]
	for _, object := range slices.SortedFunc(maps.Keys(d.watched), d.inOrder) {
		r := d.watched[object]
		if r.reported {
			continue
		}
		if reflect.DeepEqual(object, r.was) {
			clear(r.receivedBy)
			continue
		}
		sites := slices.Sorted(maps.Keys(r.receivedBy))
		found = append(found, Mutation[T]{Object: object, Was: r.was, ReceivedBy: sites})
		r.reported = true
	}
	return found
}
