// Misconception: what was added twice has to be removed twice.
// Caught by: TestRemove
// Message: it reported soup@7, received by nobody

//go:build wrong

package mutation

// record is what is known of an object that is watched.
type record[T any] struct {
	nth        int // its place in the order of Add
	was        T
	receivedBy map[string]bool
	adds       int
}

func (d *Detector[T]) Add(object T) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if r, ok := d.watched[object]; ok {
		r.adds++
		return
	}
	d.added++
	d.watched[object] = &record[T]{d.added, object.DeepCopy(), map[string]bool{}, 1}
}

func (d *Detector[T]) Remove(object T) {
	d.mu.Lock()
	defer d.mu.Unlock()
	r, ok := d.watched[object]
	if !ok {
		return
	}
	if r.adds--; r.adds == 0 {
		delete(d.watched, object)
	}
}
