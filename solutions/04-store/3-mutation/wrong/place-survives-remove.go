// Breaks: After another Add it is like an object that was never seen before.
// Caught by: TestRemove
// Message: it reported soup@7, received by nobody; bread@7, received by nobody; salt@7, received by nobody

//go:build wrong

package mutation

import "sync"

type Detector[T Object[T]] struct {
	mu      sync.Mutex
	watched map[T]*record[T]
	places  map[T]int // in the order of Add
}

func New[T Object[T]]() *Detector[T] {
	return &Detector[T]{watched: map[T]*record[T]{}, places: map[T]int{}}
}

func (d *Detector[T]) Add(object T) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if _, ok := d.watched[object]; ok {
		return
	}
	if _, ok := d.places[object]; !ok {
		d.places[object] = len(d.places)
	}
	d.watched[object] = &record[T]{was: object.DeepCopy(), receivedBy: map[string]bool{}}
}

func (d *Detector[T]) inOrder(a, b T) int { return d.places[a] - d.places[b] }
