// Misconception: who finds that a cache is spoilt can trust nothing, and ends the program.
// Caught by: TestEachLevel
// Message: was changed, received by []

//go:build wrong

package mutation

import (
	"fmt"
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
		panic(fmt.Sprintf("%v was changed, received by %v", object, sites))
	}
	return found
}
