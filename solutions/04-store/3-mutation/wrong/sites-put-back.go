// Breaks: Those of an object that is reported may write again: they are in its next report, too, if no Check finds
// it intact before.
// Caught by: TestReceivedAtTheTimeOfACheck
// Message: a report has no list

//go:build wrong

package mutation

import (
	"maps"
	"reflect"
	"slices"
	"sync"
)

type Detector[T Object[T]] struct {
	mu       sync.Mutex
	watched  map[T]*record[T]
	added    int        // so many objects were added so far
	checking sync.Mutex // held by the Check that runs
}

func (d *Detector[T]) Check() []Mutation[T] {
	d.checking.Lock()
	defer d.checking.Unlock()
	d.mu.Lock()
	objects := slices.SortedFunc(maps.Keys(d.watched), d.inOrder)
	records := maps.Clone(d.watched)
	receivedBy := map[T]map[string]bool{}
	for object, r := range d.watched {
		receivedBy[object] = maps.Clone(r.receivedBy)
	}
	d.mu.Unlock()
	var found []Mutation[T]
	for _, object := range objects {
		r := records[object]
		was := r.was
		intact := reflect.DeepEqual(object, was)
		if intact {
			clear(receivedBy[object])
		} else {
			sites := slices.Sorted(maps.Keys(receivedBy[object]))
			found = append(found, Mutation[T]{Object: object, Was: was, ReceivedBy: sites})
			was = object.DeepCopy()
		}
		d.mu.Lock()
		r.was, r.receivedBy = was, receivedBy[object]
		d.mu.Unlock()
	}
	return found
}
