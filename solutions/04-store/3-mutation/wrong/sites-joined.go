// Misconception: a call site has no comma in its name.
// Caught by: TestReceivedBy
// Message: it reported soup@7, received by 10 and 9 and B and a and a b and b

//go:build wrong

package mutation

import (
	"maps"
	"reflect"
	"slices"
	"strings"
)

// record is what is known of an object that is watched.
type record[T any] struct {
	nth        int // its place in the order of Add
	was        T
	receivedBy string // with commas
}

func (d *Detector[T]) Add(object T) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if _, ok := d.watched[object]; ok {
		return
	}
	d.added++
	d.watched[object] = &record[T]{nth: d.added, was: object.DeepCopy()}
}

func (d *Detector[T]) Received(object T, by string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if r, ok := d.watched[object]; ok {
		r.receivedBy += "," + by
	}
}

func (d *Detector[T]) Check() []Mutation[T] {
	d.mu.Lock()
	defer d.mu.Unlock()
	var found []Mutation[T]
	for _, object := range slices.SortedFunc(maps.Keys(d.watched), d.inOrder) {
		r := d.watched[object]
		if reflect.DeepEqual(object, r.was) {
			r.receivedBy = ""
			continue
		}
		var sites []string
		if r.receivedBy != "" {
			sites = strings.Split(r.receivedBy[1:], ",")
			slices.Sort(sites)
		}
		found = append(found, Mutation[T]{Object: object, Was: r.was, ReceivedBy: slices.Compact(sites)})
		r.was = object.DeepCopy()
	}
	return found
}
