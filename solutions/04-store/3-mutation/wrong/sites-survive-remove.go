// Breaks: After another Add it is like an object that was never seen before.
// Caught by: TestRemove
// Message: it reported soup@7, received by list

//go:build wrong

package mutation

import "sync"

type Detector[T Object[T]] struct {
	mu      sync.Mutex
	watched map[T]*record[T]
	added   int                   // so many objects were added so far
	sites   map[T]map[string]bool // who received an object
}

func New[T Object[T]]() *Detector[T] {
	return &Detector[T]{watched: map[T]*record[T]{}, sites: map[T]map[string]bool{}}
}

func (d *Detector[T]) Add(object T) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if _, ok := d.watched[object]; ok {
		return
	}
	if d.sites[object] == nil {
		d.sites[object] = map[string]bool{}
	}
	d.added++
	d.watched[object] = &record[T]{nth: d.added, was: object.DeepCopy(), receivedBy: d.sites[object]}
}
