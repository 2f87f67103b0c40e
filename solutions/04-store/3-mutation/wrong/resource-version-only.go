// Misconception: whoever changes an object gives it another resourceVersion.
// Caught by: TestEachLevel
// Message: the belief that an object has changed when its resourceVersion has

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
		if versionOf(object) == versionOf(r.was) {
			clear(r.receivedBy)
			continue
		}
		sites := slices.Sorted(maps.Keys(r.receivedBy))
		found = append(found, Mutation[T]{Object: object, Was: r.was, ReceivedBy: sites})
		r.was = object.DeepCopy()
	}
	return found
}

func versionOf(object any) string {
	return reflect.ValueOf(object).Elem().FieldByName("ResourceVersion").String()
}
