// Misconception: an object is its name: when the next one of the name comes, the one before is out of the world.
// Caught by: TestUpdate
// Message: the belief that an object is of no interest when there is a newer one

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
	watched map[string]*record[T] // by name
	added   int
}

// record is what is known of the object of a name.
type record[T any] struct {
	nth        int // its place in the order of Add
	object     T
	was        T
	receivedBy map[string]bool
}

func New[T Object[T]]() *Detector[T] {
	return &Detector[T]{watched: map[string]*record[T]{}}
}

func (d *Detector[T]) Add(object T) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if r, ok := d.watched[nameOf(object)]; ok && r.object == object {
		return
	}
	d.added++
	d.watched[nameOf(object)] = &record[T]{d.added, object, object.DeepCopy(), map[string]bool{}}
}

func (d *Detector[T]) Remove(object T) {
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.watched, nameOf(object))
}

func (d *Detector[T]) Received(object T, by string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if r, ok := d.watched[nameOf(object)]; ok {
		r.receivedBy[by] = true
	}
}

func (d *Detector[T]) Check() []Mutation[T] {
	d.mu.Lock()
	defer d.mu.Unlock()
	var found []Mutation[T]
	for _, name := range slices.SortedFunc(maps.Keys(d.watched), d.inOrder) {
		r := d.watched[name]
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

func (d *Detector[T]) inOrder(a, b string) int { return d.watched[a].nth - d.watched[b].nth }

func nameOf(object any) string {
	return reflect.ValueOf(object).Elem().FieldByName("Name").String()
}
