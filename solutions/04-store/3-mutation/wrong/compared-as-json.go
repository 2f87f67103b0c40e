// Misconception: two objects are equal if their JSON is.
// Caught by: TestEachLevel
// Message: the belief that an object is what JSON shows of it

//go:build wrong

package mutation

import (
	"encoding/json"
	"maps"
	"slices"
)

func (d *Detector[T]) Check() []Mutation[T] {
	d.mu.Lock()
	defer d.mu.Unlock()
	var found []Mutation[T]
	for _, object := range slices.SortedFunc(maps.Keys(d.watched), d.inOrder) {
		r := d.watched[object]
		if text(object) == text(r.was) {
			clear(r.receivedBy)
			continue
		}
		sites := slices.Sorted(maps.Keys(r.receivedBy))
		found = append(found, Mutation[T]{Object: object, Was: r.was, ReceivedBy: sites})
		r.was = object.DeepCopy()
	}
	return found
}

func text(object any) string {
	t, _ := json.Marshal(object)
	return string(t)
}
