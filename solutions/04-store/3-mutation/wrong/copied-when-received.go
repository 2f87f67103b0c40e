// Misconception: an object that nobody received is one that nobody has.
// Caught by: TestEachLevel
// Message: the belief that nobody has an object that nobody was seen to receive

//go:build wrong

package mutation

import (
	"maps"
	"reflect"
	"slices"
)

func (d *Detector[T]) Add(object T) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if _, ok := d.watched[object]; ok {
		return
	}
	d.added++
	d.watched[object] = &record[T]{nth: d.added, receivedBy: map[string]bool{}}
}

func (d *Detector[T]) Received(object T, by string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	r, ok := d.watched[object]
	if !ok {
		return
	}
	var none T
	if r.was == none {
		r.was = object.DeepCopy()
	}
	r.receivedBy[by] = true
}

func (d *Detector[T]) Check() []Mutation[T] {
	d.mu.Lock()
	defer d.mu.Unlock()
	var found []Mutation[T]
	for _, object := range slices.SortedFunc(maps.Keys(d.watched), d.inOrder) {
		r := d.watched[object]
		var none T
		if r.was == none {
			continue
		}
		if reflect.DeepEqual(object, r.was) {
			clear(r.receivedBy)
			continue
		}
		sites := slices.Sorted(maps.Keys(r.receivedBy))
		found = append(found, Mutation[T]{Object: object, Was: r.was, ReceivedBy: sites})
		r.was = object.DeepCopy()
	}
	return found
}
