// Misconception: two objects are equal if fmt prints the same for both.
// Caught by: TestIntact
// Message: the belief that pointers tell whether what they lead to is the same

//go:build wrong

package mutation

import (
	"fmt"
	"maps"
	"slices"
)

func (d *Detector[T]) Check() []Mutation[T] {
	d.mu.Lock()
	defer d.mu.Unlock()
	var found []Mutation[T]
	for _, object := range slices.SortedFunc(maps.Keys(d.watched), d.inOrder) {
		r := d.watched[object]
		if fmt.Sprintf("%+v", object) == fmt.Sprintf("%+v", r.was) {
			clear(r.receivedBy)
			continue
		}
		sites := slices.Sorted(maps.Keys(r.receivedBy))
		found = append(found, Mutation[T]{Object: object, Was: r.was, ReceivedBy: sites})
		r.was = object.DeepCopy()
	}
	return found
}
