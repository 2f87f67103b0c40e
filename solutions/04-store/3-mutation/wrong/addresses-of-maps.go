// Breaks: Only the values count.
// Caught by: TestIntact
// Message: it reported soup@7, received by nobody

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
	lay        []uintptr // where its maps and slices were
	receivedBy map[string]bool
}

func (d *Detector[T]) Add(object T) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if _, ok := d.watched[object]; ok {
		return
	}
	d.added++
	d.watched[object] = &record[T]{d.added, object.DeepCopy(), lie(object), map[string]bool{}}
}

func (d *Detector[T]) Check() []Mutation[T] {
	d.mu.Lock()
	defer d.mu.Unlock()
	var found []Mutation[T]
	for _, object := range slices.SortedFunc(maps.Keys(d.watched), d.inOrder) {
		r := d.watched[object]
		if reflect.DeepEqual(object, r.was) && slices.Equal(r.lay, lie(object)) {
			clear(r.receivedBy)
			continue
		}
		sites := slices.Sorted(maps.Keys(r.receivedBy))
		found = append(found, Mutation[T]{Object: object, Was: r.was, ReceivedBy: sites})
		r.was, r.lay = object.DeepCopy(), lie(object)
	}
	return found
}

func lie(object any) (at []uintptr) {
	v := reflect.ValueOf(object).Elem()
	for i := range v.NumField() {
		if k := v.Field(i).Kind(); k == reflect.Map || k == reflect.Slice {
			at = append(at, v.Field(i).Pointer())
		}
	}
	return at
}
