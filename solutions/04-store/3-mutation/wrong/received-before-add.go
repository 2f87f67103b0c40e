// Misconception: a call site can be noted before the object is watched.
// Caught by: TestNotWatched
// Message: the belief that a call site may be noted before there is anything to note it for

//go:build wrong

package mutation

import "sync"

type Detector[T Object[T]] struct {
	mu      sync.Mutex
	watched map[T]*record[T]
	added   int                   // so many objects were added so far
	early   map[T]map[string]bool // who received an object before its Add
}

func New[T Object[T]]() *Detector[T] {
	return &Detector[T]{watched: map[T]*record[T]{}, early: map[T]map[string]bool{}}
}

func (d *Detector[T]) Add(object T) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if _, ok := d.watched[object]; ok {
		return
	}
	sites := d.early[object]
	if sites == nil {
		sites = map[string]bool{}
	}
	delete(d.early, object)
	d.added++
	d.watched[object] = &record[T]{nth: d.added, was: object.DeepCopy(), receivedBy: sites}
}

func (d *Detector[T]) Received(object T, by string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if r, ok := d.watched[object]; ok {
		r.receivedBy[by] = true
		return
	}
	if d.early[object] == nil {
		d.early[object] = map[string]bool{}
	}
	d.early[object][by] = true
}
