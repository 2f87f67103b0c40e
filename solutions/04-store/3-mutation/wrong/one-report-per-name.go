// Misconception: a second report about a name says nothing new.
// Caught by: TestUpdateThatSharesAMap
// Message: it reported soup@7, received by nobody

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
	named := map[string]bool{}
	for _, object := range slices.SortedFunc(maps.Keys(d.watched), d.inOrder) {
		r := d.watched[object]
		if reflect.DeepEqual(object, r.was) {
			clear(r.receivedBy)
			continue
		}
		sites := slices.Sorted(maps.Keys(r.receivedBy))
		name := reflect.ValueOf(object).Elem().FieldByName("Name").String()
		if !named[name] {
			found = append(found, Mutation[T]{Object: object, Was: r.was, ReceivedBy: sites})
		}
		named[name] = true
		r.was = object.DeepCopy()
	}
	return found
}
