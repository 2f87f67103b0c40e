// Breaks: After another Add it is like an object that was never seen before.
// Caught by: TestRemove
// Message: it reported soup@7, received by nobody

//go:build wrong

package mutation

import "sync"

type Detector[T Object[T]] struct {
	mu      sync.Mutex
	watched map[T]*record[T]
	added   int     // so many objects were added so far
	copies  map[T]T // of those that were seen
}

func New[T Object[T]]() *Detector[T] {
	return &Detector[T]{watched: map[T]*record[T]{}, copies: map[T]T{}}
}

func (d *Detector[T]) Add(object T) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if _, ok := d.watched[object]; ok {
		return
	}
	if _, ok := d.copies[object]; !ok {
		d.copies[object] = object.DeepCopy()
	}
	d.added++
	d.watched[object] = &record[T]{nth: d.added, was: d.copies[object].DeepCopy(), receivedBy: map[string]bool{}}
}
