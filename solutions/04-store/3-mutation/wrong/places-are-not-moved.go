// Misconception: who has a place in a list keeps it.
// Caught by: TestAnyStory
// Message: it reported soup@7 (another one), received by nobody
// Removes: Detector.inOrder

//go:build wrong

package mutation

import (
	"maps"
	"reflect"
	"slices"
	"sync"
)

type Detector[T Object[T]] struct {
	mu      sync.Mutex
	records []*record[T]
	places  map[T]int // in records
}

// record is what is known of an object that is watched.
type record[T any] struct {
	object, was T
	receivedBy  map[string]bool
}

func New[T Object[T]]() *Detector[T] { return &Detector[T]{places: map[T]int{}} }

func (d *Detector[T]) Add(object T) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if _, ok := d.places[object]; ok {
		return
	}
	d.places[object] = len(d.records)
	d.records = append(d.records, &record[T]{object, object.DeepCopy(), map[string]bool{}})
}

func (d *Detector[T]) Remove(object T) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if _, ok := d.places[object]; !ok {
		return
	}
	delete(d.places, object)
	d.records = slices.DeleteFunc(d.records, func(r *record[T]) bool { return r.object == object })
}

func (d *Detector[T]) Received(object T, by string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if i, ok := d.places[object]; ok && i < len(d.records) {
		d.records[i].receivedBy[by] = true
	}
}

func (d *Detector[T]) Check() []Mutation[T] {
	d.mu.Lock()
	defer d.mu.Unlock()
	var found []Mutation[T]
	for _, r := range d.records {
		if reflect.DeepEqual(r.object, r.was) {
			clear(r.receivedBy)
			continue
		}
		sites := slices.Sorted(maps.Keys(r.receivedBy))
		found = append(found, Mutation[T]{Object: r.object, Was: r.was, ReceivedBy: sites})
		r.was = r.object.DeepCopy()
	}
	return found
}
