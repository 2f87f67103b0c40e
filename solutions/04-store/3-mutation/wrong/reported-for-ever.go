// Misconception: what is wrong with an object will be mended, and until then each Check says so.
// Caught by: TestReportedOnce
// Message: the belief that somebody will mend the object

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
		found = append(found, Mutation[T]{Object: object, Was: r.was.DeepCopy(), ReceivedBy: sites})
	}
	return found
}
