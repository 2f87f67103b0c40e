// Breaks: Every field counts, on every level: also one that is not exported, what is in a map of a map or in an
// element of a slice, and what a pointer behind a pointer leads to.
// Caught by: TestEachLevel
// Message: it reported nothing after Data["a"] = "3"

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
		if equal(reflect.ValueOf(object).Elem(), reflect.ValueOf(r.was).Elem()) {
			clear(r.receivedBy)
			continue
		}
		sites := slices.Sorted(maps.Keys(r.receivedBy))
		found = append(found, Mutation[T]{Object: object, Was: r.was, ReceivedBy: sites})
		r.was = object.DeepCopy()
	}
	return found
}

// equal compares the fields, and how much is in those that hold more than one value.
func equal(a, b reflect.Value) bool {
	for i := range a.NumField() {
		f, g := a.Field(i), b.Field(i)
		switch f.Kind() {
		case reflect.Map, reflect.Slice:
			if f.IsNil() != g.IsNil() || f.Len() != g.Len() {
				return false
			}
		case reflect.Pointer:
			if f.IsNil() != g.IsNil() {
				return false
			}
		default:
			if !f.Equal(g) {
				return false
			}
		}
	}
	return true
}
