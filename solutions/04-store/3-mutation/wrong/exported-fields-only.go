// Misconception: what nobody outside can name, nobody outside can write to.
// Caught by: TestEachLevel
// Message: it reported nothing after count = 2

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
		if equal(reflect.ValueOf(object), reflect.ValueOf(r.was)) {
			clear(r.receivedBy)
			continue
		}
		sites := slices.Sorted(maps.Keys(r.receivedBy))
		found = append(found, Mutation[T]{Object: object, Was: r.was, ReceivedBy: sites})
		r.was = object.DeepCopy()
	}
	return found
}

// equal compares all but fields that are not exported.
func equal(a, b reflect.Value) bool {
	if a.Kind() == reflect.Pointer && !a.IsNil() && !b.IsNil() {
		return equal(a.Elem(), b.Elem())
	}
	if a.Kind() != reflect.Struct {
		return reflect.DeepEqual(a.Interface(), b.Interface())
	}
	for i := range a.NumField() {
		if a.Type().Field(i).IsExported() && !equal(a.Field(i), b.Field(i)) {
			return false
		}
	}
	return true
}
