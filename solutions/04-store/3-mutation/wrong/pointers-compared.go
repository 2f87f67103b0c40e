// Misconception: a pointer in an object that is intact is the pointer that it was.
// Caught by: TestIntact
// Message: the belief that pointers tell whether what they lead to is the same

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

// equal compares field by field.
func equal(a, b reflect.Value) bool {
	for i := range a.NumField() {
		f, g := a.Field(i), b.Field(i)
		switch {
		case f.Kind() == reflect.Pointer:
			if !f.Equal(g) {
				return false
			}
		case f.Kind() == reflect.Map && f.Len() == 0 || f.Kind() == reflect.Slice && f.Len() == 0:
			if f.IsNil() != g.IsNil() || g.Len() != 0 {
				return false
			}
		case !f.CanInterface():
			if !f.Equal(g) {
				return false
			}
		case !reflect.DeepEqual(f.Interface(), g.Interface()):
			return false
		}
	}
	return true
}
